import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { categoryLabels, senderName } from '../sender-name.ts'
import { countOf, formatCount } from '../../../lib/format.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { PhonePreview } from '../../phone/phone-preview.tsx'
import { piecesOf } from '../phone/dlt-pieces.ts'
import { Missing, When } from '../../../ui/text.tsx'
import { TemplateStatusPill } from '../../../features/templates/template-status.tsx'

/** A template up close: on the phone with its samples, and its facts. */
export function TemplatePeek({ template }: { template: SmsTemplate }) {
  const {
    header,
    category,
    body,
    variables,
    dltTemplateId,
    entityId,
    accountName,
    parts,
    worstParts,
    usedCount,
    updatedAt,
    status,
  } = template
  const pieces = piecesOf(
    body,
    variables.map(({ name, sample }) => ({ name, value: sample })),
  )
  const facts = [
    ['Status', <TemplateStatusPill key="status" status={status} />],
    ['Category', categoryLabels[category]],
    ['Account', accountName],
    ['DLT template id', dltTemplateId ? <Copyable key="dlt" text={dltTemplateId} /> : <Missing key="dlt" />],
    ['Entity id', entityId ? <Copyable key="entity" text={entityId} /> : 'From the account'],
    ['Length', worstParts > parts ? `${countOf(parts, 'part')}, up to ${worstParts}` : countOf(parts, 'part')],
    ['Used in', `${formatCount(usedCount)} ${usedCount === 1 ? 'campaign' : 'campaigns'}`],
    ['Updated', <When key="updated" at={updatedAt} />],
  ] as const

  return (
    <div className="flex flex-col gap-5 p-5">
      <div className="rounded-lg bg-sunken py-5">
        <PhonePreview scale={0.7} message={{ channel: 'sms', sender: senderName(header, category), pieces }} />
      </div>
      <dl className="divide-y divide-line border-y border-border">
        {facts.map(([label, value]) => (
          <div key={label} className="flex min-h-9 items-center justify-between gap-4">
            <dt className="text-dense text-muted-foreground">{label}</dt>
            <dd className="min-w-0 truncate text-right">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

export function TemplatePeekFoot({ template: { _id, status } }: { template: SmsTemplate }) {
  return (
    <>
      <Button asChild>
        <AreaLink to="manage-templates/create-sms" search={{ c: _id }}>
          Edit
        </AreaLink>
      </Button>
      {status === 'approved' ? (
        <Button asChild variant="primary" className="ml-auto">
          <AreaLink to="campaigns/sms-campaign-creation" search={{ m: _id }}>
            Use in campaign
          </AreaLink>
        </Button>
      ) : null}
    </>
  )
}
