import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { TemplateOption } from '../../parts/template-option.tsx'
import { TemplatePill } from '../../parts/templates/status-pill.tsx'
import { MiniPhone } from '../../phone/mini-phone.tsx'
import { rcsMessageOf } from '../phone-message.ts'
import type { RcsMessage } from '../phone/rcs-message.ts'
import { categoryLabels, statusLooks, typeOf } from '../template-labels.tsx'
import { textOf } from '../template-text.ts'

type RcsTemplateOptionProps = {
  template: RcsTemplate
  brand: Pick<RcsMessage, 'sender' | 'color' | 'logoUrl' | 'isVerified'>
  isChosen: boolean
  onChoose: () => void
}

/** A template option on a phone; if it cannot be sent, the reason. */
export function RcsTemplateOption({ template, brand, isChosen, onChoose }: RcsTemplateOptionProps) {
  const { name, status, category } = template
  const isOff = status !== 'APPROVED'
  return (
    <TemplateOption
      name={name}
      isChosen={isChosen}
      onChoose={onChoose}
      isOff={isOff}
      bubble={
        <>
          <span aria-hidden inert className="flex h-56 justify-center overflow-hidden rounded-md bg-sunken [&>*]:-mt-5">
            <MiniPhone scale={0.5} message={rcsMessageOf(template, brand)} />
          </span>
          <span className="sr-only">{textOf(template)}</span>
        </>
      }
      facts={
        <>
          <span>
            <TemplatePill look={statusLooks[status]} />
          </span>
          <span className="truncate">
            {typeOf(template)} · {categoryLabels[category]}
          </span>
          {isOff ? <span className="text-warning-text">{whyNot(template)}</span> : null}
        </>
      }
    />
  )
}

function whyNot({ status, reason }: RcsTemplate): string {
  if (reason) return reason
  if (status === 'DRAFT') return 'It is a draft. Save it as a template first.'
  return status === 'PENDING' || status === 'IN_APPEAL' ? 'The operator is reviewing it.' : 'It cannot be sent now.'
}
