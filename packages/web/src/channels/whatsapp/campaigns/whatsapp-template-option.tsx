import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import clsx from 'clsx'
import { FileText, Image, MapPin, Play } from 'lucide-react'
import { phoneMessageOf } from '../phone-message.ts'
import { categoryLabels, languageLabel, TemplateState } from '../template-labels.tsx'
import { WhatsappText } from '../phone/whatsapp-text.tsx'
import { countOf, formatDateTime } from '../../../lib/format.ts'
import { TemplateOption } from '../../parts/template-option.tsx'

type WhatsappTemplateOptionProps = { template: WhatsappTemplate; isChosen: boolean; onChoose: () => void }

/** A template option with its key facts; if it cannot be sent, the reason. */
export function WhatsappTemplateOption({ template, isChosen, onChoose }: WhatsappTemplateOptionProps) {
  const { name, language, category, status, quality } = template
  const isOff = status !== 'APPROVED'
  return (
    <TemplateOption
      name={name}
      isChosen={isChosen}
      onChoose={onChoose}
      isOff={isOff}
      bubble={<Bubble template={template} />}
      facts={
        <>
          <span>
            <TemplateState status={status} quality={quality} />
          </span>
          <span className="truncate">
            {categoryLabels[category]} · {languageLabel(language)}
          </span>
          {isOff ? <span className="text-warning-text">{whyNot(template)}</span> : null}
        </>
      }
    />
  )
}

const headerIcons = { image: Image, video: Play, document: FileText, location: MapPin, text: undefined } as const

function Bubble({ template: { components, category } }: { template: WhatsappTemplate }) {
  const { header, pieces, buttons = [], cards = [] } = phoneMessageOf(components, { sender: '', category })
  const Icon = header && headerIcons[header.kind]
  const more = [
    cards.length > 0 ? countOf(cards.length, 'card') : '',
    buttons.length > 0 ? buttons.map(({ text }) => text).join(' · ') : '',
  ].filter(Boolean)
  return (
    <span className="flex min-h-27 flex-col self-stretch rounded-[10px] rounded-tl-[3px] bg-secondary px-3 py-2 text-dense">
      {Icon ? (
        <span className="-mx-1.5 -mt-0.5 mb-1.5 grid h-12 place-items-center rounded-md bg-track text-muted-foreground">
          <Icon aria-hidden className="size-4" />
        </span>
      ) : null}
      {header?.kind === 'text' ? (
        <b dir="auto" className="mb-0.5 truncate">
          {header.pieces.map(({ text }) => text).join('')}
        </b>
      ) : null}
      <span
        dir="auto"
        className={clsx('message-text leading-[18px] [overflow-wrap:anywhere]', Icon ? 'line-clamp-3' : 'line-clamp-5')}
      >
        <WhatsappText pieces={pieces} />
      </span>
      {more.length > 0 ? (
        <span dir="auto" className="mt-auto truncate pt-1.5 text-caption text-whatsapp-text">
          {more.join(' · ')}
        </span>
      ) : null}
    </span>
  )
}

function whyNot({ status, reason, pausedUntil }: WhatsappTemplate): string {
  const again = pausedUntil ? ` Sends again ${formatDateTime(pausedUntil)}.` : ''
  if (reason) return `${reason}${again}`
  if (status === 'DRAFT') return 'It was not submitted to Meta yet.'
  if (status === 'PENDING' || status === 'IN_APPEAL') return 'Meta is reviewing it.'
  return `Only active templates are sent.${again}`
}
