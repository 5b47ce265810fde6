import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { useState } from 'react'
import { phoneMessageOf } from '../phone-message.ts'
import { categoryLabels, languageLabel, TemplateState } from '../template-labels.tsx'
import { useWabas } from '../use-wabas.ts'
import { useWhatsappPrice } from '../use-whatsapp-price.ts'
import { countOf, formatUnitPrice } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { PhonePreview } from '../../phone/phone-preview.tsx'
import { Region } from '../../../ui/region.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Missing, When } from '../../../ui/text.tsx'
import type { TemplateFamily } from './families.ts'
import { isLocked } from './form.ts'
import { Reason } from './columns.tsx'
import { WhatsappTimeline } from './timeline.tsx'

/** Template details: phone preview with samples, status reason, and history. */
export function WhatsappTemplatePeek({ family }: { family: TemplateFamily }) {
  const { wabas } = useWabas()
  const [language, setLanguage] = useState(family.first.language)
  const listed = family.variants.find((variant) => variant.language === language) ?? family.first
  const details = useApi('waTemplates.get', { path: { id: listed._id } })
  const template = details.data ?? listed
  const waba = wabas.find(({ waba_id }) => waba_id === template.waba_id)
  return (
    <div className="flex flex-col gap-5 p-5">
      {family.variants.length > 1 ? (
        <span className="self-start">
          <Segmented
            label="Language"
            value={template.language}
            onValueChange={setLanguage}
            options={family.variants.map((variant) => ({
              value: variant.language,
              label: languageLabel(variant.language),
            }))}
          />
        </span>
      ) : null}
      {template.reason ? <Reason template={template} /> : null}
      <div className="rounded-lg bg-sunken py-5">
        <PhonePreview
          scale={0.7}
          message={phoneMessageOf(template.components, {
            sender: waba?.numbers[0]?.verifiedName || waba?.name || '',
            category: template.category,
          })}
        />
      </div>
      <Facts template={template} account={waba?.name} />
      <Region read={details} label="the history" lines={3}>
        {({ events }) => <WhatsappTimeline events={events} />}
      </Region>
    </div>
  )
}

/** The category, and the price effect if Meta has changed it. */
function Category({ template: { category, previousCategory } }: { template: WhatsappTemplate }) {
  const now = useWhatsappPrice(category)
  const before = useWhatsappPrice(previousCategory ?? category)
  if (!previousCategory || previousCategory === category) return categoryLabels[category]
  return (
    <>
      {categoryLabels[category]}, was {categoryLabels[previousCategory].toLowerCase()}
      {now && before ? (
        <span className="block text-caption text-muted-foreground tabular-nums">
          {formatUnitPrice(now)} each instead of {formatUnitPrice(before)}
        </span>
      ) : null}
    </>
  )
}

function Facts({ template, account }: { template: WhatsappTemplate; account: string | undefined }) {
  const { status, quality, metaId, usedCount, pausedCount, updatedAt, waba_id } = template
  const facts = [
    ['Status', <TemplateState key="status" status={status} quality={quality} />],
    ['Category', <Category key="category" template={template} />],
    ['Account', account ?? waba_id],
    ['Id at Meta', metaId ? <Copyable key="id" text={metaId} /> : <Missing key="id" why="not submitted yet" />],
    ...(pausedCount > 0 ? [['Paused', `${countOf(pausedCount, 'time')}; the third time it is disabled`] as const] : []),
    ['Used in', countOf(usedCount, 'campaign')],
    ['Updated', <When key="updated" at={updatedAt} />],
  ] as const
  return (
    <dl className="divide-y divide-line border-y border-border">
      {facts.map(([label, value]) => (
        <div key={label} className="flex min-h-9 items-center justify-between gap-4">
          <dt className="text-dense text-muted-foreground">{label}</dt>
          <dd className="min-w-0 truncate text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function WhatsappPeekFoot({ family: { first } }: { family: TemplateFamily }) {
  return (
    <Button asChild>
      <AreaLink to="manage-templates/whatsapp/whatsapp-template-creation" search={{ c: first._id }}>
        {first.status === 'REJECTED' ? 'Fix and submit again' : isLocked(first) ? 'Open' : 'Edit'}
      </AreaLink>
    </Button>
  )
}
