import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { categoryLabels, senderName } from '../sender-name.ts'
import { countOf } from '../../../lib/format.ts'
import { piecesOf } from '../phone/dlt-pieces.ts'
import { TemplateOption } from '../../parts/template-option.tsx'

type SmsTemplateOptionProps = { template: SmsTemplate; isChosen: boolean; onChoose: () => void }

/** A template as a small bubble with facts for the choice. */
export function SmsTemplateOption({ template, isChosen, onChoose }: SmsTemplateOptionProps) {
  const { name, header, category, parts, encoding, dltTemplateId } = template
  return (
    <TemplateOption
      name={name}
      isChosen={isChosen}
      onChoose={onChoose}
      bubble={<Bubble template={template} />}
      facts={
        <>
          <span className="truncate">
            {senderName(header, category)} · {categoryLabels[category]}
          </span>
          <span className="truncate">
            {countOf(parts, 'part')}
            {encoding === 'ucs2' ? ', Unicode' : ''}
          </span>
          <span className="truncate font-mono">{dltTemplateId ?? 'no DLT id'}</span>
        </>
      }
    />
  )
}

function Bubble({ template: { body, variables } }: { template: SmsTemplate }) {
  const pieces = piecesOf(
    body,
    variables.map(({ name, sample }) => ({ name, value: sample })),
  )
  return (
    <span className="min-h-27 self-start rounded-[14px] rounded-bl-[4px] bg-secondary px-3 py-2 text-dense">
      <span dir="auto" className="message-text line-clamp-5 leading-[18px] [overflow-wrap:anywhere]">
        {pieces.map((piece, index) =>
          piece.variable ? (
            <span key={index} className="text-brand-text underline decoration-dotted underline-offset-3">
              {piece.text}
            </span>
          ) : (
            piece.text
          ),
        )}
      </span>
    </span>
  )
}
