import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { categoryLabels, senderName } from '../sender-name.ts'
import { countOf, formatCount } from '../../../lib/format.ts'
import { wizardLink } from '../../../lib/links.ts'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { editorView } from '../../parts/templates/editor-view.ts'
import { TemplatePeekBody } from '../../parts/templates/peek.tsx'
import { piecesOf } from '../phone/dlt-pieces.ts'
import { Missing, When } from '../../../ui/text.tsx'
import { smsTemplateScreens } from './screens.ts'
import { TemplateStatusPill } from './status.tsx'

/** Template details: phone preview with samples, and facts. */
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

  return <TemplatePeekBody message={{ channel: 'sms', sender: senderName(header, category), pieces }} facts={facts} />
}

export function TemplatePeekFoot({ template: { _id, status } }: { template: SmsTemplate }) {
  return (
    <>
      <Button asChild>
        <AreaLink to={smsTemplateScreens.editorPath} search={writeView(editorView, { templateId: _id })}>
          Edit
        </AreaLink>
      </Button>
      {status === 'approved' ? (
        <Button asChild variant="primary" className="ml-auto">
          <AreaLink to={smsTemplateScreens.wizardPath} search={writeView(wizardLink, { templateId: _id })}>
            Use in campaign
          </AreaLink>
        </Button>
      ) : null}
    </>
  )
}
