import { call } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import { BulkDelete } from '../../parts/templates/bulk-delete.tsx'
import type { TemplateFamily } from './families.ts'

/** Deletes several templates in all their languages; those that a scheduled or running campaign needs are left out. */
export function BulkDeleteWhatsapp({ families, onDone }: { families: readonly TemplateFamily[]; onDone: () => void }) {
  return (
    <BulkDelete
      rows={families}
      effect="They are deleted in every language, here and at Meta. Names that Meta knows cannot be used again for 30 days. Template families lose them. Sent campaigns keep their texts."
      refusal={({ first: { pendingCampaigns } }) =>
        pendingCampaigns > 0 ? countOf(pendingCampaigns, 'campaign needs it', 'campaigns need it') : undefined
      }
      write={({ name, waba_id }, options) =>
        call('waTemplates.delete', { query: { templateName: name }, body: { waba_id } }, options)
      }
      refreshes={['waTemplates.list', 'families.list']}
      onDone={onDone}
    />
  )
}
