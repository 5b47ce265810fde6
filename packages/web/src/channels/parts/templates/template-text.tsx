import type { MessagePiece } from '../../../ui/phone/pieces.ts'

/** A template's text with its variables as pills. */
export function TemplateText({ pieces }: { pieces: readonly MessagePiece[] }) {
  return pieces.map(({ text, variable }, index) =>
    variable === undefined ? (
      text
    ) : (
      <span key={index} className="rounded-sm bg-brand-muted px-1 text-brand-text [unicode-bidi:isolate]">
        {text}
      </span>
    ),
  )
}
