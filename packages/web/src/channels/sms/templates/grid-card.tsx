import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { countOf } from '../../../lib/format.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import { TemplateCard } from '../../parts/templates/template-grid.tsx'
import { categoryLabels, senderName } from '../sender-name.ts'
import { TemplateBody } from '../template-body.tsx'
import { smsTemplateScreens } from './screens.ts'
import { TemplateStatusPill } from './status.tsx'

export function GridCard({ template, menu }: { template: SmsTemplate; menu: readonly MenuItem[] }) {
  const { _id, name, header, category, body, variables, parts, status } = template
  return (
    <TemplateCard
      editorPath={smsTemplateScreens.editorPath}
      id={_id}
      name={name}
      menu={menu}
      sender={senderName(header, category)}
      status={<TemplateStatusPill status={status} />}
      detail={`${categoryLabels[category]} · ${countOf(parts, 'part')}`}
    >
      <TemplateBody body={body} variables={variables} />
    </TemplateCard>
  )
}
