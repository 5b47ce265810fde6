import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WhatsappTemplateDraft } from '../management.ts'
import type { WhatsappMessage } from '../message.ts'
import { TemplateLeg } from '../template-leg.ts'
import { fillValues, textOf } from '../text-of.ts'
import { whatsappChannel } from '../whatsapp-channel.ts'
import { lineId, picture, simulateMeta, type SimulatedMeta } from '../../../testing/cloud-api.ts'
import { sendAll } from '../../../testing/send-all.ts'

let meta: SimulatedMeta
beforeEach(async () => {
  meta = await simulateMeta()
})
afterEach(() => meta.close())

const empty = { samples: [], footer: '', buttons: [], cards: [], securityRecommendation: true }
const always = (fallback: string) => ({ fallback })
const cell = (column: number) => ({ column, fallback: '' })

async function makeTemplate(draft: Partial<WhatsappTemplateDraft> & Pick<WhatsappTemplateDraft, 'name' | 'content'>) {
  const whole: WhatsappTemplateDraft = {
    language: 'en',
    category: 'MARKETING',
    parameterFormat: 'positional',
    ...draft,
  }
  const manage = meta.open()
  await manage.templateReview.create(whole)
  await expect
    .poll(async () => (await manage.templateReview.list({})).templates.find(({ name }) => name === whole.name)?.status)
    .toBe('APPROVED')
  return whole
}

async function send(frozen: unknown, cells: string[]) {
  const rendered = whatsappChannel.compileLeg(frozen)(cells)
  if (!rendered) throw new Error('A value is missing')
  // The channel's compiled messages are the input of its providers.
  const { content } = rendered as WhatsappMessage
  const expiresAt = new Date(Date.now() + 60_000)
  return sendAll(meta.connect(), [{ reference: 'c.1', to: '+919812345678', parts: 1, expiresAt, content }])
}

test('the frozen message of a leg is accepted by Meta and shown on the phone', async () => {
  const manage = meta.open()
  const handle = await manage.media.uploadSample(picture)
  const { id: mediaId } = await manage.media.upload(lineId, picture)
  const { name, language, parameterFormat, content } = await makeTemplate({
    name: 'offer',
    content: {
      ...empty,
      header: { type: 'HEADER', format: 'IMAGE', handle },
      body: 'Hi {{1}}, you get {{2}} off until Sunday, only here.',
      samples: [
        { name: '1', sample: 'Asha' },
        { name: '2', sample: '20 %' },
      ],
      footer: 'Acme',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Stop' },
        { type: 'URL', text: 'Shop', url: 'https://acme.example/o/{{1}}', sample: 'https://acme.example/o/7' },
        { type: 'COPY_CODE', sample: 'SAVE20' },
      ],
    },
  })
  const values = { media: { mediaId }, body: [cell(0), always('20 %')], urls: [cell(1)], copyCode: always('SAVE20') }
  const frozen = { template: { name, language, parameterFormat, content }, values }
  expect(await send(frozen, ['Ravi', 'A-17'])).toMatchObject([{ kind: 'accepted' }])
  const [message] = meta.simulator.graph.control.listMessages({ since: 0, limit: 1 }).messages
  const leg = TemplateLeg.parse(frozen)
  expect(message?.text).toContain('Hi Ravi, you get 20 % off until Sunday, only here.')
  expect(textOf(content, fillValues(leg, ['Ravi', 'A-17']))).toBe(
    'Hi Ravi, you get 20 % off until Sunday, only here.\nAcme',
  )
})

test('named variables, a code and cards are accepted as well', async () => {
  const named = await makeTemplate({
    name: 'named',
    parameterFormat: 'named',
    content: {
      ...empty,
      header: { type: 'HEADER', format: 'TEXT', text: 'Dear {{first_name}}', sample: 'Asha' },
      body: 'Your order {{order}} was shipped today.',
      samples: [{ name: 'order', sample: 'A-17' }],
    },
  })
  expect(await send({ template: named, values: { header: cell(0), body: [cell(1)] } }, ['Asha', 'A-17'])).toMatchObject(
    [{ kind: 'accepted' }],
  )

  const otp = { type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy', autofill_text: '', supported_apps: [] } as const
  const code = await makeTemplate({
    name: 'code',
    category: 'AUTHENTICATION',
    content: { ...empty, body: '', buttons: [{ ...otp, supported_apps: [] }] },
  })
  expect(await send({ template: code, values: { body: [cell(0)] } }, ['123456'])).toMatchObject([{ kind: 'accepted' }])

  const handle = await meta.open().media.uploadSample(picture)
  const { id: mediaId } = await meta.open().media.upload(lineId, picture)
  const card: WhatsappTemplateDraft['content']['cards'][number] = {
    header: { type: 'HEADER', format: 'IMAGE', handle },
    body: 'Now only {{1}} for a week',
    samples: [{ name: '1', sample: '₹99' }],
    buttons: [{ type: 'URL', text: 'Buy', url: 'https://acme.example/p/{{1}}', sample: 'https://acme.example/p/7' }],
  }
  const cards = await makeTemplate({
    name: 'cards',
    content: { ...empty, body: 'Look at what we have for you', cards: [card, card] },
  })
  const own = { media: { mediaId }, body: [cell(0)], urls: [always('7')] }
  expect(await send({ template: cards, values: { cards: [own, own] } }, ['₹49'])).toMatchObject([{ kind: 'accepted' }])
})

test('a template changed since is rejected for its values, a paused or disabled one for its status', async () => {
  const content = { ...empty, body: 'Your order {{1}} was shipped today.', samples: [{ name: '1', sample: 'A-17' }] }
  const template = await makeTemplate({ name: 'order', category: 'UTILITY', content })
  const frozen = { template, values: { body: [cell(0)] } }
  const { control } = meta.simulator.graph
  const [{ id } = { id: '' }] = control.listTemplates().filter(({ name }) => name === 'order')
  const components = [{ type: 'BODY', text: 'Your order was shipped.' }]
  control.putTemplate({ name: 'order', language: 'en', category: 'UTILITY', components })
  expect(await send(frozen, ['A-17'])).toMatchObject([
    { kind: 'rejected', reason: 'template_params', code: '132000', scope: 'message' },
  ])
  control.changeTemplate(id, { pause: true })
  expect(await send(frozen, ['A-17'])).toMatchObject([{ kind: 'retry', reason: 'template_paused', code: '132015' }])
  control.changeTemplate(id, { status: 'DISABLED' })
  expect(await send(frozen, ['A-17'])).toMatchObject([
    { kind: 'rejected', reason: 'template_disabled', code: '132016' },
  ])
})
