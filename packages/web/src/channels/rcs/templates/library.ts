import type { RcsTemplate, RcsTemplateStatus } from '@carillon/contract/channels/rcs/rcs-templates'
import { apiRead } from '../../../lib/api-read.ts'
import { formatCount } from '../../../lib/format.ts'
import { writeView } from '../../../lib/url-state.ts'
import type { ChannelTemplates, TemplateToUse } from '../../channel-templates.ts'
import { textPieces } from '../template-text.ts'
import { rcsTemplatesLink } from './list-link.ts'
import { rcsRenditions } from './renditions.ts'
import { rcsTemplateScreens } from './screens.ts'

export const rcsTemplates: ChannelTemplates = {
  screens: rcsTemplateScreens,
  renditions: rcsRenditions,
  total: apiRead('rcsTemplates.list', { query: { limit: 1 } }, ({ total }) => total),
  attention: [attention('rejected', 'REJECTED'), attention('paused', 'PAUSED'), attention('in review', 'PENDING')],
  rejected: apiRead('rcsTemplates.list', { query: { status: 'REJECTED', limit: 5 } }, ({ templates, total }) => ({
    total,
    first: templates.map(({ _id, name }) => ({ _id, name })),
  })),
  find: (search, limit) =>
    apiRead('rcsTemplates.list', { query: { search, limit } }, ({ templates }) =>
      templates.map(({ _id, name }) => ({ _id, name })),
    ),
  toUse: apiRead('rcsTemplates.list', { query: {} }, ({ templates }) => templates.map(toUse)),
  describe: ({ rejected }) =>
    rejected > 0 ? `${formatCount(rejected)} rejected: open to see why` : 'cards and replies people can tap',
}

function attention(kind: ChannelTemplates['attention'][number]['kind'], status: RcsTemplateStatus) {
  return {
    kind,
    count: apiRead('rcsTemplates.list', { query: { status, limit: 1 } }, ({ total }) => total),
    to: rcsTemplateScreens.listPath,
    search: writeView(rcsTemplatesLink, { status }),
  }
}

function toUse(template: RcsTemplate): TemplateToUse {
  const { _id, name, botName, status, usedCount } = template
  return {
    _id,
    name,
    caption: botName ?? 'Any bot',
    pieces: textPieces(template),
    isSendable: status === 'APPROVED',
    usedCount,
  }
}
