import type { WhatsappTemplate, WhatsappTemplateStatus } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { apiRead } from '../../../lib/api-read.ts'
import { formatCount } from '../../../lib/format.ts'
import { writeView } from '../../../lib/url-state.ts'
import type { ChannelTemplates, FoundTemplate, TemplateToUse } from '../../channel-templates.ts'
import { whatsappTemplatesLink } from './list-link.ts'
import { textOf } from './template-text.ts'
import { whatsappRenditions } from './renditions.ts'
import { whatsappTemplateScreens } from './screens.ts'
import { bracedPieces } from '../../../ui/phone/pieces.ts'

const place = { to: whatsappTemplateScreens.listPath }

export const whatsappTemplates: ChannelTemplates = {
  screens: whatsappTemplateScreens,
  renditions: whatsappRenditions,
  total: apiRead('waTemplates.list', { query: { limit: 1 } }, ({ total }) => total),
  attention: [
    {
      kind: 'rejected',
      count: countOf('REJECTED'),
      ...place,
      search: writeView(whatsappTemplatesLink, { status: 'REJECTED' }),
    },
    { kind: 'paused', count: countOf('PAUSED'), ...place, search: {} },
    { kind: 'in review', count: countOf('PENDING'), ...place, search: {} },
  ],
  rejected: apiRead('waTemplates.list', { query: { status: 'REJECTED', limit: 5 } }, ({ data, total }) => ({
    total,
    first: data.map(found),
  })),
  find: (search, limit) => apiRead('waTemplates.list', { query: { search, limit } }, ({ data }) => data.map(found)),
  toUse: apiRead('waTemplates.list', { query: {} }, ({ data }) => data.map(toUse)),
  describe: ({ rejected }) =>
    rejected > 0 ? `${formatCount(rejected)} rejected: open to see why` : 'checked before Meta’s review',
}

function countOf(status: WhatsappTemplateStatus) {
  return apiRead('waTemplates.list', { query: { status, limit: 1 } }, ({ total }) => total)
}

/** Each language is a template of its own. */
function found({ _id, name, language }: WhatsappTemplate): FoundTemplate {
  return { _id, name: `${name} · ${language}` }
}

function toUse(template: WhatsappTemplate): TemplateToUse {
  return {
    _id: template._id,
    name: template.name,
    caption: template.language,
    pieces: bracedPieces(textOf(template), () => undefined),
    isSendable: template.status === 'APPROVED',
    usedCount: template.usedCount,
  }
}
