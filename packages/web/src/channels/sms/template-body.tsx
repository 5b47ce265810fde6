import { piecesOf } from './phone/dlt-pieces.ts'
import { TemplateText } from '../parts/templates/template-text.tsx'

type TemplateBodyProps = { body: string; variables: readonly { name: string }[] }

/** A body in one line, its variables as pills with their names. */
export function TemplateBody({ body, variables }: TemplateBodyProps) {
  return (
    <TemplateText
      pieces={piecesOf(
        body,
        variables.map(({ name }) => ({ name })),
      )}
    />
  )
}
