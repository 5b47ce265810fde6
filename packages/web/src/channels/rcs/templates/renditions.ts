import { summarizeRcs } from '@carillon/contract/channels/rcs/rcs-message-traits'
import type {
  RcsTemplateContent,
  RcsTemplateInput,
  RcsTemplateStatus,
} from '@carillon/contract/channels/rcs/rcs-templates'
import { apiRead, readPerId } from '../../../lib/api-read.ts'
import { call } from '../../../lib/call.ts'
import type { ChannelRenditions, RenditionContent } from '../../channel-renditions.ts'
import { createWithFreeName } from '../../parts/templates/free-name.ts'
import { emptyCard, rcsMessageOf } from '../phone-message.ts'
import { statusLooks } from '../template-labels.tsx'
import { emptyForm, formOf, inputOf } from './form.ts'

export const rcsRenditions: ChannelRenditions = {
  lookOf: (status) => Object.entries(statusLooks).find(([known]) => known === status)?.[1] ?? statusLooks.PENDING,
  read: readPerId((id) => apiRead('rcsTemplates.get', { path: { id } }, contentOf)),
  senders: apiRead('bots.list', { query: {} }, (bots) =>
    bots
      .toSorted((one, other) => Number(other.isActive) - Number(one.isActive))
      .map(({ botId, name }) => ({ id: botId, label: name, shownAs: name })),
  ),
  noSender: { text: 'Request an RCS bot first', to: 'channels/rcs', action: 'Open RCS bots' },
  begin: (text, { id }) => contentOf({ ...newText(text, id), status: 'DRAFT' }),
  async save({ text, into, key }) {
    if ('templateId' in into) {
      const template = await call('rcsTemplates.get', { path: { id: into.templateId } })
      const body = { ...inputOf({ input: withText(formOf(template).input, text) }), id: template._id }
      await call('rcsTemplates.save', { body }, { key })
      return template._id
    }
    const input = newText(text, into.senderId)
    const { _id } = await createWithFreeName(into.name, ({ name, attempt }) =>
      call('rcsTemplates.save', { body: inputOf({ input: { ...input, name } }) }, { key: `${key}-${attempt}` }),
    )
    return _id
  },
}

/** A draft that consists of the shared text. */
function newText(text: string, botId: string): RcsTemplateInput {
  return { ...emptyForm(botId).input, type: 'text_message', textMessageContent: text }
}

/** The text of a message or of its only card. The cards of a carousel share no text. */
function textOf({ type, textMessageContent, standAlone }: RcsTemplateContent): string | undefined {
  if (type === 'carousel') return undefined
  return type === 'text_message' ? textMessageContent : (standAlone ?? emptyCard).cardDescription
}

function withText<Content extends RcsTemplateContent>(content: Content, text: string): Content {
  if (content.type === 'carousel') return content
  if (content.type === 'text_message') return { ...content, textMessageContent: text }
  return { ...content, standAlone: { ...(content.standAlone ?? emptyCard), cardDescription: text } }
}

type Shown = RcsTemplateInput & { status: RcsTemplateStatus }

function contentOf(template: Shown): RenditionContent {
  const { name, status, botId, type } = template
  return {
    name,
    look: statusLooks[status],
    isDraft: status === 'DRAFT' && type !== 'carousel',
    traits: summarizeRcs(template),
    messageOf: (senders) => rcsMessageOf(template, { sender: senders.find(({ id }) => id === botId)?.shownAs ?? '' }),
    says: (text) => textOf(template) === text,
    withText: (text) => contentOf(withText(template, text)),
  }
}
