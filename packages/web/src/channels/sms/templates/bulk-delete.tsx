import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { call } from '../../../lib/call.ts'
import { BulkDelete } from '../../parts/templates/bulk-delete.tsx'

/** Deletes several templates; those that a scheduled or running campaign needs are refused by the server. */
export function BulkDeleteSms({ templates, onDone }: { templates: readonly SmsTemplate[]; onDone: () => void }) {
  return (
    <BulkDelete
      rows={templates}
      effect="Drafts that use them must choose others, and template families lose them. Past campaigns keep their names and texts. Their registrations on the DLT portal are not affected."
      write={({ _id }, options) => call('smsTemplates.delete', { path: { id: _id } }, options)}
      refreshes={['smsTemplates.list', 'families.list', 'campaigns.list', 'smsCampaigns.list']}
      onDone={onDone}
    />
  )
}
