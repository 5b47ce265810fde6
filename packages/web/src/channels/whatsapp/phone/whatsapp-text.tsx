import clsx from 'clsx'
import { useState, type MouseEvent } from 'react'
import { textOfPieces, type MessagePiece } from '../../../ui/phone/pieces.ts'
import { cutRuns, findLinks, type Mark } from '../../../ui/phone/text-runs.ts'
import { findFormats, foldAt, type WhatsappFormat } from './whatsapp-format.ts'

type Look = WhatsappFormat | 'link' | 'focused' | { piece: MessagePiece }

type WhatsappTextProps = {
  pieces: readonly MessagePiece[]
  folds?: boolean | undefined
  focusedVariable?: string | undefined
  onVariable?: ((variable: string) => void) | undefined
}

const classes: Record<WhatsappFormat | 'link' | 'focused', string> = {
  bold: 'font-semibold',
  italic: 'italic',
  strike: 'line-through',
  mono: 'font-mono text-[14px]',
  marker: '',
  link: 'phone-link',
  focused: 'phone-hit',
}

/** Text as WhatsApp shows it: formatted, with links and variables, collapsed behind 'Read more' if long. */
export function WhatsappText({ pieces, folds, focusedVariable, onVariable }: WhatsappTextProps) {
  const [isOpen, setIsOpen] = useState(false)
  const text = textOfPieces(pieces)
  const end = folds && !isOpen ? foldAt(text) : undefined
  const runs = cutRuns(text, marksOf(text, pieces, focusedVariable), end === undefined ? [] : [end])
  const shown = end === undefined ? runs : runs.filter(({ start }) => start < end)
  return (
    <>
      {shown.map((run) => {
        if (run.looks.includes('marker')) return null
        const piece = run.looks.find((look) => typeof look === 'object')?.piece
        const variable = piece?.variable
        const className = clsx(
          run.looks.map((look) => (typeof look === 'string' ? classes[look] : '')),
          piece && (piece.missing ? 'phone-unfilled' : 'phone-filled'),
        )
        if (!className) return run.text
        return (
          <span
            key={run.start}
            className={className}
            title={piece?.column ? `from ${piece.column}` : undefined}
            onClick={variable !== undefined && onVariable ? pressOf(variable, onVariable) : undefined}
          >
            {run.text}
          </span>
        )
      })}
      {end === undefined ? null : (
        <>
          …{' '}
          <button type="button" className="phone-wa-more" onClick={() => setIsOpen(true)}>
            Read more
          </button>
        </>
      )}
    </>
  )
}

/** A variable inside a part that is pressable itself. */
function pressOf(variable: string, onVariable: (variable: string) => void) {
  return (event: MouseEvent) => {
    event.stopPropagation()
    onVariable(variable)
  }
}

function marksOf(text: string, pieces: readonly MessagePiece[], focused: string | undefined): Mark<Look>[] {
  const marks: Mark<Look>[] = [
    ...findFormats(text),
    ...findLinks(text).map((place) => ({ ...place, look: 'link' as const })),
  ]
  let start = 0
  for (const piece of pieces) {
    const end = start + piece.text.length
    if (piece.variable !== undefined) {
      marks.push({ start, end, look: { piece } })
      if (piece.variable === focused) marks.push({ start, end, look: 'focused' })
    }
    start = end
  }
  return marks
}
