import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { Trash2 } from 'lucide-react'
import { call } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import type { BulkLabels } from '../../../ui/data-screen/bulk-labels.ts'
import { BulkWrite } from '../../../ui/data-screen/bulk-write.tsx'

const words: BulkLabels = {
  label: 'Delete',
  icon: Trash2,
  title: (count) => `Delete ${countOf(count, 'template')}?`,
  effect:
    'Drafts that use them must choose others. Past campaigns keep their names and texts. Their registrations on the DLT portal are not affected.',
  action: (count) => `Delete ${countOf(count, 'template')}`,
}

/** Deletes several templates; those that a scheduled or running campaign needs are refused by the server. */
export function TemplateBulk({ templates, onDone }: { templates: readonly SmsTemplate[]; onDone: () => void }) {
  return (
    <BulkWrite
      rows={templates}
      nameOf={({ name }) => name}
      words={words}
      refusal={() => undefined}
      write={({ _id }, options) => call('smsTemplates.delete', { path: { id: _id } }, options)}
      refreshes={['smsTemplates.list', 'campaigns.list', 'smsCampaigns.list']}
      onDone={onDone}
    />
  )
}
