import { summarizeWhatsapp } from '@carillon/contract/channels/whatsapp/whatsapp-message-traits'
import type { WhatsappTemplate, WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { apiRead, readPerId } from '../../../lib/api-read.ts'
import { call } from '../../../lib/call.ts'
import type { ChannelRenditions, RenditionContent } from '../../channel-renditions.ts'
import { createWithFreeName } from '../../parts/templates/free-name.ts'
import { guessLanguage } from '../../parts/templates/text-language.ts'
import { phoneMessageOf } from '../phone-message.ts'
import { statusLooks } from '../template-labels.tsx'
import { emptyForm, emptyVariant, inputOf, withBody } from './form.ts'

export const whatsappRenditions: ChannelRenditions = {
  lookOf: (status) => Object.entries(statusLooks).find(([known]) => known === status)?.[1] ?? statusLooks.PENDING,
  read: readPerId((id) => apiRead('waTemplates.get', { path: { id } }, contentOf)),
  senders: apiRead('wabas.active', {}, (wabas) =>
    wabas.map(({ waba_id, name, numbers }) => ({
      id: waba_id,
      label: name,
      shownAs: numbers[0]?.verifiedName || name,
    })),
  ),
  noSender: { text: 'Connect WhatsApp first', to: 'channels/whatsapp', action: 'Open WhatsApp' },
  begin: (text, { id }) => {
    const { name, category, waba_id } = emptyForm(id)
    const { content, status } = emptyVariant('en')
    return contentOf({ name, category, waba_id, status, components: withBody(content, text) })
  },
  async save({ text, into, key }) {
    if ('templateId' in into) {
      const { components, ...template } = await call('waTemplates.get', { path: { id: into.templateId } })
      const { waba_id, name, language, category } = template
      const changed = { waba_id, name, language, category, components: withBody(components, text) }
      await call('waTemplates.save', { body: { ...changed, parameterFormat: 'named', id: template._id } }, { key })
      return template._id
    }
    const variant = emptyVariant(guessLanguage(text))
    const form = { ...emptyForm(into.senderId), parameterFormat: 'named' as const }
    const content = withBody(variant.content, text)
    const { _id } = await createWithFreeName(metaName(into.name), ({ name, attempt }) =>
      call(
        'waTemplates.save',
        { body: inputOf({ ...form, name }, { ...variant, content }) },
        { key: `${key}-${attempt}` },
      ),
    )
    return _id
  },
}

/** Meta accepts small letters, digits and underscores. */
function metaName(name: string): string {
  const written = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return written || 'template'
}

type Shown = Pick<WhatsappTemplate, 'name' | 'category' | 'waba_id' | 'status'> & {
  components: WhatsappTemplateContent
}

function contentOf(template: Shown): RenditionContent {
  const { name, category, waba_id, status, components } = template
  return {
    name,
    look: statusLooks[status],
    isDraft: status === 'DRAFT',
    traits: summarizeWhatsapp(components, category),
    messageOf: (senders) =>
      phoneMessageOf(components, { sender: senders.find(({ id }) => id === waba_id)?.shownAs ?? '', category }),
    says: (text) => components.body === text,
    withText: (text) => contentOf({ ...template, components: withBody(components, text) }),
  }
}
