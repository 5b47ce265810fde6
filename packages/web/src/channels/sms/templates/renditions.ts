import { summarizeSms } from '@carillon/contract/channels/sms/sms-message-traits'
import type { SmsTemplate, SmsTemplateInput } from '@carillon/contract/channels/sms/sms-templates'
import { apiRead, readPerId } from '../../../lib/api-read.ts'
import { call } from '../../../lib/call.ts'
import type { ChannelRenditions, RenditionContent, RenditionSender } from '../../channel-renditions.ts'
import { createWithFreeName } from '../../parts/templates/free-name.ts'
import { guessLanguage } from '../../parts/templates/text-language.ts'
import { piecesOf } from '../phone/dlt-pieces.ts'
import { senderName } from '../sender-name.ts'
import { emptyForm, formOf, inputOf } from './form.ts'
import { statusLooks } from './status.tsx'
import { isSmsText, writeSmsText } from './write-text.ts'

export const smsRenditions: ChannelRenditions = {
  lookOf: (status) => Object.entries(statusLooks).find(([known]) => known === status)?.[1] ?? statusLooks.draft,
  read: readPerId((id) => apiRead('smsTemplates.get', { path: { id } }, contentOf)),
  senders: apiRead('smsAccounts.list', {}, (accounts) =>
    accounts
      .toSorted((a, b) => Number(b.isActive) - Number(a.isActive))
      .flatMap(({ _id, name, headers }) => headers.map((header) => senderOf(_id, { name, header }))),
  ),
  noSender: { text: 'Connect an SMS account first', to: 'channels/sms', action: 'Open SMS accounts' },
  begin: (text, { id }) => contentOf({ ...emptyForm, header: headerOf(id).header, ...writeSmsText(text) }),
  async save({ text, into, key }) {
    if ('templateId' in into) {
      const template = await call('smsTemplates.get', { path: { id: into.templateId } })
      const form = { ...formOf(template), ...writeSmsText(text, template.variables) }
      await call('smsTemplates.update', { body: { ...inputOf(form, template.status), id: template._id } }, { key })
      return template._id
    }
    const form = { ...emptyForm, ...headerOf(into.senderId), language: guessLanguage(text), ...writeSmsText(text) }
    const { _id } = await createWithFreeName(into.name, ({ name, attempt }) =>
      call('smsTemplates.create', { body: inputOf({ ...form, name }, 'draft') }, { key: `${key}-${attempt}` }),
    )
    return _id
  },
}

/** Each header of an account is a sender. */
function senderOf(accountId: string, { name, header }: { name: string; header: string }): RenditionSender {
  return { id: `${accountId} ${header}`, label: `${header} · ${name}`, shownAs: header }
}

function headerOf(senderId: string): { smsAccountId: string; header: string } {
  const [smsAccountId = '', header = ''] = senderId.split(' ')
  return { smsAccountId, header }
}

type Shown = Pick<SmsTemplateInput, 'name' | 'header' | 'category' | 'body'> & {
  variables: SmsTemplate['variables']
  status: SmsTemplate['status']
}

function contentOf(template: Shown): RenditionContent {
  const { name, header, category, body, variables, status } = template
  const fillings = variables.map((variable) => ({ name: variable.name, value: variable.sample }))
  return {
    name,
    look: statusLooks[status],
    isDraft: status === 'draft',
    traits: summarizeSms({ body, variables }),
    messageOf: () => ({ channel: 'sms', sender: senderName(header, category), pieces: piecesOf(body, fillings) }),
    says: (text) => isSmsText(text, { body, variables }),
    withText: (text) => contentOf({ ...template, ...writeSmsText(text, variables) }),
  }
}
