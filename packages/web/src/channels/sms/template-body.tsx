import { parseSmsTemplate } from '@carillon/contract/channels/sms/sms-variables'

type TemplateBodyProps = { body: string; variables: readonly { name: string }[] }

/** A body in one line, its variables as pills with their names. */
export function TemplateBody({ body, variables }: TemplateBodyProps) {
  return parseSmsTemplate(body).map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span key={index} className="rounded-sm bg-brand-muted px-1 text-brand-text [unicode-bidi:isolate]">
        {variables[piece.index]?.name ?? piece.kind}
      </span>
    ),
  )
}
