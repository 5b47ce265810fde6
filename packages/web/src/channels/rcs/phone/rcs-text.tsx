import clsx from 'clsx'
import type { MouseEvent } from 'react'
import { textOfPieces, type MessagePiece } from '../../../ui/phone/pieces.ts'
import { cutRuns, findLinks, type Mark } from '../../../ui/phone/text-runs.ts'

type Look = 'link' | 'focused' | { piece: MessagePiece }

type RcsTextProps = {
  pieces: readonly MessagePiece[]
  focusedVariable?: string | undefined
  onVariable?: ((variable: string) => void) | undefined
}

/** Text as RCS shows it: links and variables, no formatting. */
export function RcsText({ pieces, focusedVariable, onVariable }: RcsTextProps) {
  const text = textOfPieces(pieces)
  return cutRuns(text, marksOf(text, pieces, focusedVariable)).map((run) => {
    const piece = run.looks.find((look) => typeof look === 'object')?.piece
    const variable = piece?.variable
    const className = clsx(
      run.looks.includes('link') && 'phone-link',
      run.looks.includes('focused') && 'phone-hit',
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
  })
}

/** A variable inside a part that is pressable itself. */
function pressOf(variable: string, onVariable: (variable: string) => void) {
  return (event: MouseEvent) => {
    event.stopPropagation()
    onVariable(variable)
  }
}

function marksOf(text: string, pieces: readonly MessagePiece[], focused: string | undefined): Mark<Look>[] {
  const marks: Mark<Look>[] = findLinks(text).map((place) => ({ ...place, look: 'link' }))
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
