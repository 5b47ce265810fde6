import { Trash2 } from 'lucide-react'
import { call } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import type { BulkLabels } from '../../../ui/data-screen/bulk-labels.ts'
import { BulkWrite } from '../../../ui/data-screen/bulk-write.tsx'
import type { TemplateFamily } from './families.ts'

const words: BulkLabels = {
  label: 'Delete',
  icon: Trash2,
  title: (count) => `Delete ${countOf(count, 'template')}?`,
  effect:
    'They are deleted in every language, here and at Meta. Names that Meta knows cannot be used again for 30 days. Sent campaigns keep their texts.',
  action: (count) => `Delete ${countOf(count, 'template')}`,
}

/** Deletes several templates in all their languages; those that a scheduled or running campaign needs are left out. */
export function WhatsappTemplateBulk({
  families,
  onDone,
}: {
  families: readonly TemplateFamily[]
  onDone: () => void
}) {
  return (
    <BulkWrite
      rows={families}
      nameOf={({ name }) => name}
      words={words}
      refusal={({ first: { pendingCampaigns } }) =>
        pendingCampaigns > 0 ? countOf(pendingCampaigns, 'campaign needs it', 'campaigns need it') : undefined
      }
      write={({ name, waba_id }, options) =>
        call('waTemplates.delete', { query: { templateName: name }, body: { waba_id } }, options)
      }
      refreshes={['waTemplates.list']}
      onDone={onDone}
    />
  )
}
