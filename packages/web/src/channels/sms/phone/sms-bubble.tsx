import clsx from 'clsx'
import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import { Fragment } from 'react'
import { formatUnitPrice } from '../../../lib/format.ts'
import { textOfPieces, type MessagePiece } from '../../../ui/phone/pieces.ts'
import { cutRuns, findLinks, type Mark, type Run } from '../../../ui/phone/text-runs.ts'

type Look = { kind: 'link' } | { kind: 'variable'; piece: MessagePiece } | { kind: 'hit' }

type SmsBubbleProps = {
  pieces: readonly MessagePiece[]
  /** Draws a line where each further part begins. */
  showParts?: boolean | undefined
  pricePerPart?: number | null | undefined
  /** The variable whose field has the focus, outlined. */
  focusedVariable?: string | undefined
  onVariable?: ((variable: string) => void) | undefined
}

export function SmsBubble({ pieces, showParts = false, pricePerPart, focusedVariable, onVariable }: SmsBubbleProps) {
  const text = textOfPieces(pieces)
  const { seams, parts } = countSmsParts(text)
  const cuts = showParts ? seams : []
  const runs = cutRuns(text, marksOf(text, pieces, focusedVariable), cuts)

  return (
    <p dir="auto" className="phone-bubble message-text">
      {runs.map((run) => (
        <Fragment key={run.start}>
          {cuts.includes(run.start) ? (
            <Seam number={cuts.indexOf(run.start) + 2} parts={parts} price={pricePerPart} />
          ) : null}
          <RunText run={run} onVariable={onVariable} />
        </Fragment>
      ))}
      {text === '' ? <span className="phone-faint">Your message</span> : null}
    </p>
  )
}

const fewOffenders = 3

function marksOf(text: string, pieces: readonly MessagePiece[], focusedVariable: string | undefined): Mark<Look>[] {
  const marks: Mark<Look>[] = findLinks(text).map((place) => ({ ...place, look: { kind: 'link' } }))
  const { offenders } = countSmsParts(text)
  // In another script Unicode is intended; a few non-GSM characters in a Latin text are highlighted.
  if (offenders.length <= fewOffenders) {
    for (const { index, character } of offenders)
      marks.push({ start: index, end: index + character.length, look: { kind: 'hit' } })
  }
  let start = 0
  for (const piece of pieces) {
    const end = start + piece.text.length
    if (piece.variable !== undefined) {
      marks.push({ start, end, look: { kind: 'variable', piece } })
      if (piece.variable === focusedVariable) marks.push({ start, end, look: { kind: 'hit' } })
    }
    start = end
  }
  return marks
}

function RunText({ run, onVariable }: { run: Run<Look>; onVariable?: ((variable: string) => void) | undefined }) {
  const piece = run.looks.find((look) => look.kind === 'variable')?.piece
  const className = clsx(
    run.looks.some((look) => look.kind === 'link') && 'phone-link',
    piece && (piece.missing ? 'phone-unfilled' : 'phone-filled'),
    run.looks.some((look) => look.kind === 'hit') && 'phone-hit',
  )
  if (!className) return run.text
  return (
    <span
      className={className}
      title={piece?.column ? `from ${piece.column}` : undefined}
      onClick={piece?.variable && onVariable ? () => onVariable(piece.variable ?? '') : undefined}
    >
      {run.text}
    </span>
  )
}

function Seam({ number, parts, price }: { number: number; parts: number; price: number | null | undefined }) {
  return (
    <span className="phone-seam">
      part {number} of {parts}
      {price ? ` · +${formatUnitPrice(price)}` : ''}
    </span>
  )
}
