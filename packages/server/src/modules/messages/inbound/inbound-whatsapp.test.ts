import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { until } from '../../../testing/until.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'
import { findWindow } from './inbound-contacts.ts'
import { sendSingle } from '../single-sends/send-single.ts'

type Inbound = {
  id: string
  phone: number | null
  identity: string
  text: string
  content: Record<string, unknown> | null
  in_reply_to: string | null
  media_state: string | null
  file_id: string | null
}

let fixtures: WhatsappServer
let senderId: string
let lineId: string
let organizationId: string
let freeShare = 0.5

beforeAll(async () => {
  fixtures = await buildWhatsappServer({}, { readFreeShare: async () => freeShare })
  const connected = await connectWhatsapp(fixtures)
  senderId = connected.senderId
  lineId = connected.lineId
  organizationId = fixtures.manager.organizationId
})
afterAll(() => fixtures.close())

const people = () => fixtures.simulator.graph.control.people
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await fixtures.server.database.systemPool.query<Row>(text, values)).rows

/** The last message of this person, once it is stored. */
async function write(from: string, message: Record<string, unknown>): Promise<Inbound> {
  const [before] = await query<{ count: number }>('select count(*) from inbound_messages')
  people().write({ from, phoneNumberId: lineId, message })
  const newest = () => query<Inbound>('select * from inbound_messages order by id desc limit 1')
  await until(async () => {
    const [now] = await query<{ count: number }>('select count(*) from inbound_messages')
    return (now?.count ?? 0) > (before?.count ?? 0)
  }, 'what was written')
  const [row] = await newest()
  if (!row) throw new Error('Nothing came in')
  return row
}

const window = (identity: string) =>
  asSystem(fixtures.server.database, (db) => findWindow(db, { organizationId, senderId, identity }))

const sendFreely = (phoneNumber: string) =>
  asSystem(fixtures.server.database, (db) =>
    sendSingle(db, {
      organizationId,
      accountId: fixtures.manager.id,
      path: fixtures.manager.path,
      senderId,
      kind: 'reply',
      channel: 'whatsapp',
      phoneNumber,
      header: '',
      text: 'How can we help?',
      category: 'utility',
    }),
  )

describe('inbound messages', () => {
  test.each([
    ['text', { type: 'text', text: { body: 'Is it open?' } }, 'Is it open?'],
    ['location', { type: 'location', location: { latitude: 18.5, longitude: 73.8, name: 'Kothrud' } }, 'Kothrud'],
    ['contacts', { type: 'contacts', contacts: [{ name: { formatted_name: 'Ravi' }, phones: [] }] }, 'Ravi'],
    ['unsupported', { type: 'unsupported' }, ''],
  ])('of type %s are stored completely', async (type, message, text) => {
    const row = await write('919812350001', message)
    expect(row).toMatchObject({ phone: 919812350001, text, media_state: null })
    if (type !== 'text') expect(row.content).toMatchObject({ type })
  })

  test('of a person who hides the number are stored under the id, and can be answered', async () => {
    people().describe('919812350002', { hidesNumber: true, userId: 'IN.40719', name: 'Meera', username: 'meera.j' })
    const row = await write('919812350002', { type: 'text', text: { body: 'Hello' } })
    expect(row.phone).toBeNull()
    expect(row.identity).not.toContain('919812350002')
    expect(await window(row.identity)).toMatchObject({ lastMessageId: expect.stringMatching(/^wamid/) })
    const [known] = await query('select identity, phone, name from contact_identities where identity = $1', [
      row.identity,
    ])
    expect(known).toEqual({ identity: row.identity, phone: null, name: 'Meera' })
  })

  test('open a service window of a day, which each message restarts', async () => {
    const phone = '919812350003'
    expect(await window(phone)).toBeUndefined()
    await expect(sendFreely(`+${phone}`)).rejects.toThrow(/24-hour window/)
    await write(phone, { type: 'text', text: { body: 'Hi' } })
    const first = await window(phone)
    expect((first?.expiresAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    expect(await sendFreely(`+${phone}`)).toMatchObject({ parts: 1 })
    await write(phone, { type: 'text', text: { body: 'Still there?' } })
    const second = await window(phone)
    expect(second?.lastMessageId).not.toBe(first?.lastMessageId)
    await query(`update service_windows set expires_at = now() - interval '1 second'`)
    expect(await window(phone)).toBeUndefined()
    await expect(sendFreely(`+${phone}`)).rejects.toThrow(/approved template/)
  })

  test('STOP alone opts out, START opts in again', async () => {
    const phone = '919812350004'
    const out = () => query('select channel, keyword from opt_outs where phone = $1', [phone])
    await write(phone, { type: 'text', text: { body: 'Stop' } })
    expect(await out()).toEqual([{ channel: 'whatsapp', keyword: 'Stop' }])
    await write(phone, { type: 'text', text: { body: 'start' } })
    expect(await out()).toEqual([])
  })

  test('with a picture store the picture', async () => {
    const row = await write('919812350005', { type: 'image', image: { caption: 'Broken' } })
    expect(row).toMatchObject({ text: 'Broken', content: { type: 'image' } })
    const read = async () => (await query<Inbound>('select * from inbound_messages where id = $1', [row.id]))[0]
    await until(async () => (await read())?.media_state === 'stored', 'the picture')
    const [file] = await query(
      'select purpose, channel, mime_type, size_bytes > 0 as "hasBytes" from files where id = $1',
      [(await read())?.file_id],
    )
    expect(file).toMatchObject({ purpose: 'inbound', channel: 'whatsapp', hasBytes: true })
  })
})

test('a picture waits for free disk space', async () => {
  freeShare = 0.05
  const row = await write('919812350007', { type: 'image', image: { caption: 'Later' } })
  const { ownerPool } = fixtures.server.database
  const refused = `select from graphile_worker.jobs where last_error like 'Less than 10 % of the disk%'`
  await until(async () => (await ownerPool.query(refused)).rowCount === 1, 'the refusal')
  const read = async () => (await query<Inbound>('select * from inbound_messages where id = $1', [row.id]))[0]
  expect(await read()).toMatchObject({ media_state: 'waiting', file_id: null })
  freeShare = 0.5
  await until(async () => (await read())?.media_state === 'stored', 'the picture')
})

describe('media that cannot be stored', () => {
  const shown = async ({ id }: Inbound) => {
    const [row] = await query<{ chat: string }>('select conversation_id as chat from inbound_messages where id = $1', [
      id,
    ])
    const { items } = await fixtures.ask('conversations.thread', { path: { id: row?.chat ?? '' } })
    const item = items.find((each) => each.id === id)
    return item?.kind === 'inbound' ? item.body : undefined
  }
  const document = (from: string, megabytes: number, more = '') => {
    const bytes = Buffer.concat([Buffer.alloc(megabytes * 1024 * 1024, 7), Buffer.from(more)]).toString('base64')
    return write(from, { type: 'document', document: { bytes, filename: 'plan.pdf', caption: 'The plan' } })
  }

  test('100 MB are stored; a byte more, and the message says that it cannot be opened', async () => {
    const [fits, tooLarge] = [await document('919812350011', 100), await document('919812350012', 100, '!')]
    await until(async () => (await shown(tooLarge))?.media?.state === 'failed', 'the end of the large file')
    expect(await shown(tooLarge)).toEqual({
      type: 'document',
      text: 'The plan',
      media: { state: 'failed', mimeType: 'application/pdf', name: 'plan.pdf' },
    })
    await until(async () => (await shown(fits))?.media?.state === 'stored', 'the file')
    expect(await shown(fits)).toMatchObject({ media: { name: 'plan.pdf', sizeBytes: 100 * 1024 * 1024 } })
    const { ownerPool } = fixtures.server.database
    await until(
      async () =>
        (await ownerPool.query(`select from graphile_worker.jobs where key like 'inbound-media:%'`)).rowCount === 0,
      'no further attempts',
    )
  })

  test('a file that Meta no longer has, too', async () => {
    freeShare = 0.05
    const row = await write('919812350013', { type: 'image', image: { caption: 'Gone' } })
    expect(await shown(row)).toMatchObject({ text: 'Gone', media: { state: 'waiting' } })
    const { baseUrl, token } = fixtures.simulator.graph
    const mediaId = String(Object(row.content?.['image']).id)
    const deleted = await fetch(`${baseUrl}/v23.0/${mediaId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(deleted.status).toBe(200)
    freeShare = 0.5
    await until(async () => (await shown(row))?.media?.state === 'failed', 'the end of the file')
    expect(await shown(row)).toMatchObject({ type: 'image', text: 'Gone' })
  })
})

test('a marketing opt-out in WhatsApp applies until the person opts in again', async () => {
  const phone = '919812350006'
  const out = async () => (await query('select from opt_outs where phone = $1', [phone])).length === 1
  people().prefer({ from: phone, phoneNumberId: lineId, value: 'stop' })
  await until(out, 'the opt-out')
  const [known] = await query('select no_marketing_at from contact_identities where phone = $1', [phone])
  expect(known).toMatchObject({ no_marketing_at: expect.any(Date) })
  people().prefer({ from: phone, phoneNumberId: lineId, value: 'resume' })
  await until(async () => !(await out()), 'the way back')
})
