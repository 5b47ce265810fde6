import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { call } from '../../../lib/call.ts'
import { BulkDelete } from '../../parts/templates/bulk-delete.tsx'

export function BulkDeleteRcs({ templates, onDone }: { templates: readonly RcsTemplate[]; onDone: () => void }) {
  return (
    <BulkDelete
      rows={templates}
      effect="They cannot be sent again. Scheduled and running campaigns keep the content they were started with."
      write={({ _id }, options) => call('rcsTemplates.delete', { path: { id: _id } }, options)}
      refreshes={['rcsTemplates.list']}
      onDone={onDone}
    />
  )
}
