import { apiRead } from '../../../lib/api-read.ts'
import { lazyPart } from '../../../lib/lazy-part.tsx'
import type { TemplateReads } from '../../channel-template-reads.ts'

export const smsTemplateReads: TemplateReads = {
  total: apiRead('smsTemplates.list', { query: { limit: 1 } }, ({ total }) => total),
  attention: [
    {
      kind: 'rejected',
      count: apiRead('smsTemplates.list', { query: { status: 'rejected', limit: 1 } }, ({ total }) => total),
      to: 'manage-templates/sms',
      search: { f: '2' },
    },
  ],
  find: (search, limit) => apiRead('smsTemplates.list', { query: { search, limit } }, ({ templates }) => templates),
  UseAgain: lazyPart(() => import('./use-again.tsx').then(({ UseAgain }) => UseAgain)),
}
