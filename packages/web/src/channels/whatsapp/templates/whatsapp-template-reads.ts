import type { WhatsappTemplateStatus } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { apiRead } from '../../../lib/api-read.ts'
import type { TemplateReads } from '../../channel-template-reads.ts'

const place = { to: 'manage-templates/whatsapp' }

export const whatsappTemplateReads: TemplateReads = {
  total: apiRead('waTemplates.list', { query: { limit: 1 } }, ({ total }) => total),
  attention: [
    { kind: 'rejected', count: countOf('REJECTED'), ...place, search: { f: '3' } },
    { kind: 'paused', count: countOf('PAUSED'), ...place, search: {} },
    { kind: 'in review', count: countOf('PENDING'), ...place, search: {} },
  ],
  find: (search, limit) =>
    apiRead('waTemplates.list', { query: { search, limit } }, ({ data }) =>
      data.map(({ _id, name, language }) => ({ _id, name: `${name} · ${language}` })),
    ),
}

function countOf(status: WhatsappTemplateStatus) {
  return apiRead('waTemplates.list', { query: { status, limit: 1 } }, ({ total }) => total)
}
