import type { ReplyContent, ThreadItemOf } from '@carillon/contract/conversation-records'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { grayPng } from '../../../testing/gray-png.ts'
import { until } from '../../../testing/until.ts'
import { buildApprovedTemplate } from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappInbox, type WhatsappInbox } from '../../../testing/whatsapp-inbox.ts'

let inbox: WhatsappInbox
let from: string
let id: string

beforeAll(async () => {
  inbox = await buildWhatsappInbox()
  from = inbox.newPerson()
  id = await inbox.write(from, 'Hello')
})
afterAll(() => inbox.close())

const png = grayPng(4, 4)
const shown = () =>
  (inbox.simulator.handset.find(from)?.messages ?? []).filter(({ direction }) => direction === 'received')

const reply = (content: ReplyContent) =>
  inbox.server.call('conversations.reply', { as: inbox.user, path: { id }, body: { clientId: newId(), content } })

async function arrived(answer: Awaited<ReturnType<typeof reply>>) {
  const sent = answer.data() as ThreadItemOf<'outbound'>
  await until(async () => (await inbox.delivery(id, sent.id)).status === 'read', 'the delivery')
  return { sent, content: shown().at(-1)?.content }
}

async function upload(name: string, content: Uint8Array, channel: 'whatsapp' | 'rcs' = 'whatsapp') {
  const { _id } = await inbox.server.ask('uploads.create', {
    as: inbox.user,
    body: { channel },
    files: { fileContent: { name, content } },
  })
  return _id
}

describe('media', () => {
  test('our file is uploaded to the provider, and shown in the thread', async () => {
    const fileId = await upload('shop.png', png)
    const { sent, content } = await arrived(await reply({ type: 'media', fileId, caption: 'Our shop' }))
    expect(sent.body).toMatchObject({
      type: 'image',
      text: 'Our shop',
      media: { state: 'stored', fileId, mimeType: 'image/png', name: 'shop.png', sizeBytes: png.length },
    })
    expect(content).toMatchObject({ type: 'image', media: { kind: 'image', id: expect.stringMatching(/^\d+$/) } })
    expect(inbox.simulator.graph.control.findMedia(content?.media?.id ?? '')?.bytes).toEqual(png)
    const again = await arrived(await reply({ type: 'media', fileId, caption: '' }))
    expect(again.content?.media?.id).toBe(content?.media?.id)
  })

  test('a document keeps its name', async () => {
    const fileId = await upload('bill.pdf', Buffer.from('%PDF-1.7 bill'))
    const { sent, content } = await arrived(await reply({ type: 'media', fileId, caption: '' }))
    expect(sent.body).toMatchObject({ type: 'document', media: { name: 'bill.pdf' } })
    expect(content).toMatchObject({ media: { kind: 'document', fileName: 'bill.pdf' } })
  })

  test('what the channel does not accept is an error of the field', async () => {
    const refusal = async (content: ReplyContent) => (await reply(content)).body
    const gif = await upload('a.gif', Buffer.from('GIF89a----'))
    expect(await refusal({ type: 'media', fileId: gif, caption: '' })).toMatchObject({
      details: [{ field: 'content.fileId', message: expect.stringContaining('WhatsApp shows images') }],
    })
    const sound = await upload('a.mp3', Buffer.from('ID3----------'))
    expect(await refusal({ type: 'media', fileId: sound, caption: 'Listen' })).toMatchObject({
      details: [{ field: 'content.caption', message: 'Audio has no caption' }],
    })
    const sticker = await upload('big.webp', Buffer.concat([Buffer.from('RIFF----WEBP'), Buffer.alloc(600 * 1024)]))
    expect(await refusal({ type: 'media', fileId: sticker, caption: '' })).toMatchObject({
      details: [{ message: 'A sticker may have 512 KB at most' }],
    })
    const other = await upload('b.png', png, 'rcs')
    expect(await refusal({ type: 'media', fileId: other, caption: '' })).toMatchObject({
      details: [{ message: 'This file belongs to the channel rcs' }],
    })
    expect(await refusal({ type: 'media', fileId: newId(), caption: '' })).toMatchObject({ message: 'File not found' })
  })

  test('a file that is gone when the message is sent fails it', async () => {
    const fileId = await upload('gone.png', png)
    const other = await inbox.server.database.connectAsOwner()
    await other.query('begin')
    await other.query('lock table priority_messages in share row exclusive mode')
    const replying = reply({ type: 'media', fileId, caption: 'Gone' })
    const waiting = `select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`
    await until(async () => ((await other.query(waiting)).rowCount ?? 0) > 0, 'the reply')
    await other.query('delete from files where id = $1', [fileId])
    await other.query('commit')
    await other.end()
    const { id: itemId } = (await replying).data()
    await until(async () => (await inbox.delivery(id, itemId)).status === 'failed', 'the failure')
    expect(await inbox.delivery(id, itemId)).toMatchObject({ reason: 'media_failed', cost: 0 })
  })
})

describe('templates', () => {
  test('are filled by name, with the media of their review, and charged', async () => {
    const { handle, fileId } = await inbox.ask('waMedia.template', {
      body: { waba_id: inbox.wabaId },
      files: { file: { name: 'sale.png', content: png, type: 'image/png' } },
    })
    const { _id: templateId } = await buildApprovedTemplate(inbox.ask, {
      waba_id: inbox.wabaId,
      name: 'order_ready',
      category: 'UTILITY',
      parameterFormat: 'named',
      components: {
        header: { type: 'HEADER', format: 'IMAGE', handle, fileId },
        body: 'Hello {{name}}, your order {{order}} is ready.',
        samples: [
          { name: 'name', sample: 'Asha' },
          { name: 'order', sample: '12' },
        ],
        buttons: [{ type: 'URL', text: 'Track', url: 'https://acme.example/{{1}}', sample: 'https://acme.example/1' }],
      },
    })
    const send = (values: Record<string, string>) => reply({ type: 'template', templateId, values })
    expect((await send({ name: 'Asha' })).body).toMatchObject({
      details: [{ field: 'content.values.order', message: 'Enter a value' }],
    })
    await inbox.query(`update service_windows set expires_at = now() - interval '1 second'`)
    const { sent, content } = await arrived(await send({ name: 'Asha', order: '77', 'button.1': 'o/77' }))
    expect(sent.body).toMatchObject({
      type: 'template',
      text: 'Hello Asha, your order 77 is ready.',
      media: { state: 'stored', fileId },
      buttons: [{ kind: 'url', text: 'Track' }],
    })
    expect(content).toMatchObject({ template: { name: 'order_ready' }, body: 'Hello Asha, your order 77 is ready.' })
    expect((await inbox.delivery(id, sent.id)).cost).toBe(0.115)
    expect(await inbox.find(id)).toMatchObject({ lastMessage: { type: 'template', by: 'member' } })
    await inbox.write(from, 'Thanks')
  })

  test('only approved ones of the account are sent, and no marketing after an opt-out from it', async () => {
    const draft = await inbox.ask('waTemplates.create', {
      body: {
        waba_id: inbox.wabaId,
        language: 'en',
        name: 'rejected_one',
        category: 'UTILITY',
        components: { body: 'All is well with your order today.' },
      },
    })
    await inbox.query(`update templates set status = 'PAUSED' where id = $1`, [draft._id])
    expect((await reply({ type: 'template', templateId: draft._id, values: {} })).body).toMatchObject({
      code: 'conflict',
      message: 'The template is paused. Only approved templates are sent.',
    })
    const { _id: templateId } = await buildApprovedTemplate(inbox.ask, {
      waba_id: inbox.wabaId,
      name: 'sale_today',
      category: 'MARKETING',
      components: { body: 'Everything costs half today, only in our shop in Pune.' },
    })
    const person = inbox.newPerson()
    const own = await inbox.write(person, 'Hello')
    await inbox.query(
      `insert into opt_outs (organization_id, channel, phone, keyword, marketing_only, source) values ($1, 'whatsapp', $2, '', true, 'app')`,
      [inbox.manager.organizationId, person],
    )
    const send = (content: ReplyContent) =>
      inbox.server.call('conversations.reply', {
        as: inbox.user,
        path: { id: own },
        body: { clientId: newId(), content },
      })
    expect((await send({ type: 'template', templateId, values: {} })).body).toMatchObject({
      message: 'This person opted out of marketing messages over WhatsApp',
    })
    expect((await send({ type: 'text', text: 'Here is your answer' })).status).toBe(200)
    expect((await reply({ type: 'template', templateId: newId(), values: {} })).body).toMatchObject({
      message: 'Template not found',
    })
  })
})
