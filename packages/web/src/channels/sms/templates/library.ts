import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { apiRead } from '../../../lib/api-read.ts'
import { lazyPart } from '../../../lib/lazy-part.tsx'
import { writeView } from '../../../lib/url-state.ts'
import type { ChannelTemplates, TemplateToUse } from '../../channel-templates.ts'
import { piecesOf } from '../phone/dlt-pieces.ts'
import { smsTemplatesLink } from './list-link.ts'
import { smsRenditions } from './renditions.ts'
import { smsTemplateScreens } from './screens.ts'

export const smsTemplates: ChannelTemplates = {
  screens: smsTemplateScreens,
  renditions: smsRenditions,
  total: apiRead('smsTemplates.list', { query: { limit: 1 } }, ({ total }) => total),
  attention: [
    {
      kind: 'rejected',
      count: apiRead('smsTemplates.list', { query: { status: 'rejected', limit: 1 } }, ({ total }) => total),
      to: smsTemplateScreens.listPath,
      search: writeView(smsTemplatesLink, { status: 'rejected' }),
    },
  ],
  rejected: apiRead('smsTemplates.list', { query: { status: 'rejected', limit: 5 } }, ({ templates, total }) => ({
    total,
    first: templates,
  })),
  find: (search, limit) => apiRead('smsTemplates.list', { query: { search, limit } }, ({ templates }) => templates),
  toUse: apiRead('smsTemplates.list', { query: {} }, ({ templates }) => templates.map(toUse)),
  describe({ total }) {
    if (total === 0) return 'None yet: add your DLT templates'
    return `${total === 1 ? 'template' : 'templates'} with exact text and cost`
  },
  ImportCard: lazyPart(() => import('./library-extras.tsx').then((code) => code.ImportCard)),
  Latest: lazyPart(() => import('./library-extras.tsx').then((code) => code.LatestTemplates)),
}

function toUse({ _id, name, header, body, variables, status, usedCount }: SmsTemplate): TemplateToUse {
  const fillings = variables.map((variable) => ({ name: variable.name }))
  return {
    _id,
    name,
    caption: header,
    pieces: piecesOf(body, fillings),
    isSendable: status === 'approved',
    usedCount,
  }
}
