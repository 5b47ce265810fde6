import type { SmsTemplate } from '@carillon/contract/templates'
import clsx from 'clsx'
import { Check } from 'lucide-react'
import { categoryLabels, senderName } from '../../../channels/sms/sender-name.ts'
import { countOf } from '../../../lib/format.ts'
import { piecesOf } from '../../../ui/phone/pieces.ts'

type TemplateCardProps = { template: SmsTemplate; isChosen: boolean; onChoose: () => void }

/** A template as a small bubble with what matters for the choice. */
export function TemplateCard({ template, isChosen, onChoose }: TemplateCardProps) {
  const { name, header, category, body, variables, parts, encoding, dltTemplateId } = template
  const pieces = piecesOf(
    body,
    variables.map((variable) => ({ name: variable.name, value: variable.sample })),
  )
  return (
    <label
      className={clsx(
        'relative flex cursor-pointer flex-col gap-2.5 rounded-lg border bg-card p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
        isChosen
          ? 'border-brand shadow-[inset_0_0_0_1px_var(--brand)]'
          : 'border-border hover:border-edge hover:bg-accent/40',
      )}
    >
      <input type="radio" name="template" className="sr-only" checked={isChosen} onChange={onChoose} />
      <span className="flex items-center gap-2">
        <b className="min-w-0 flex-1 truncate">{name}</b>
        {isChosen ? (
          <span className="grid size-4.5 place-items-center rounded-full bg-brand text-brand-foreground">
            <Check aria-hidden data-size className="size-3 stroke-[2.5]!" />
          </span>
        ) : null}
      </span>
      <span className="min-h-27 self-start rounded-[14px] rounded-bl-[4px] bg-secondary px-3 py-2 text-dense">
        <span className="line-clamp-5 leading-[18px] [overflow-wrap:anywhere]">
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
      <span className="flex flex-col gap-0.5 text-caption text-muted-foreground tabular-nums">
        <span className="truncate">
          {senderName(header, category)} · {categoryLabels[category]}
        </span>
        <span className="truncate">
          {countOf(parts, 'part')}
          {encoding === 'ucs2' ? ', Unicode' : ''}
        </span>
        <span className="truncate font-mono">{dltTemplateId ?? 'no DLT id'}</span>
      </span>
    </label>
  )
}
