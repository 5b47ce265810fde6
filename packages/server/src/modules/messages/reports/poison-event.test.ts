import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryReport, InboundMessage, ProviderEvent } from '../../../channels/provider.ts'
import { newId } from '../../../lib/ids.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'
import { applyProviderEvents } from './apply-provider-events.ts'
import { buildSender } from '../test-lane.ts'

let fixtures: WhatsappServer
let callbackKey: string
let lineId: string
let smsSenderId: string
let other: Account

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await fixtures.server.database.systemPool.query<Row>(text, values)).rows

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  lineId = (await connectWhatsapp(fixtures)).lineId
  const [account] = await query<{ callback_key: string }>(`select callback_key from provider_accounts`)
  callbackKey = account?.callback_key ?? ''
  other = await buildManager(fixtures.server.database)
  smsSenderId = await buildSender(fixtures.server.database, other)
})
afterAll(() => fixtures.close())
beforeEach(() => query('delete from poison_events'))

/** Posts a signed callback, as octets that may be invalid UTF-8. */
async function post(body: string | Buffer): Promise<number> {
  const octets = Buffer.from(body)
  const signature = createHmac('sha256', fixtures.simulator.graph.appSecret).update(octets).digest('hex')
  const answer = await fetch(`${fixtures.server.url}/hooks/${callbackKey}/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body: octets,
  })
  return answer.status
}

function envelope(value: string): string {
  const metadata = `"metadata":{"display_phone_number":"918047181000","phone_number_id":"${lineId}"}`
  const change = `{"field":"messages","value":{"messaging_product":"whatsapp",${metadata},${value}}}`
  return `{"object":"whatsapp_business_account","entry":[{"id":"${fixtures.simulator.graph.wabaId}","time":1750000000,"changes":[${change}]}]}`
}

const deepArray = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const poisonPhone = '919812399999'

/** A message with fields given as JSON text, for values that JSON.stringify never writes. */
function messageJson({
  from = `"${poisonPhone}"`,
  id = `"wamid.${newId()}"`,
  time = '"1750000000"',
  rest,
}: Record<string, string>) {
  return `"messages":[{"from":${from},"id":${id},"timestamp":${time},${rest}}]`
}
const text = (body: string) => `"type":"text","text":{"body":${body}}`
const status = (fields: string) => `"statuses":[{"recipient_id":"${poisonPhone}",${fields}}]`

const poisons: [string, () => string | Buffer][] = [
  ['six typed characters', () => envelope(messageJson({ rest: text(String.raw`"typed \\u0000 here"`) }))],
  [
    'six typed characters in content',
    () =>
      envelope(messageJson({ rest: String.raw`"type":"button","button":{"text":"\\u0000","payload":"\\\\u0000"}` })),
  ],
  ['an escaped NUL', () => envelope(messageJson({ rest: text(String.raw`"a \u0000 b"`) }))],
  [
    'an escaped NUL in content',
    () => envelope(messageJson({ rest: String.raw`"type":"order","order":{"text":"a","k\u0000":"\u0000"}` })),
  ],
  ['a lone surrogate', () => envelope(messageJson({ rest: text(String.raw`"half \ud83d"`) }))],
  [
    'a lone surrogate in content',
    () => envelope(messageJson({ rest: String.raw`"type":"order","order":{"text":"\udc00","note":"\ud83d"}` })),
  ],
  [
    'octets that are no UTF-8',
    () =>
      Buffer.concat([
        Buffer.from(envelope(messageJson({ rest: text('"x"') })).replace('"x"', '"\u0001"')).map((octet) =>
          octet === 1 ? 0xff : octet,
        ),
      ]),
  ],
  ['a text of 1 MB', () => envelope(messageJson({ rest: text(`"${'long '.repeat(200_000)}"`) }))],
  ['the year 255479', () => envelope(messageJson({ time: '8000000000000000', rest: text('"far"') }))],
  ['a time that is none', () => envelope(messageJson({ time: '"never"', rest: text('"when"') }))],
  ['an id of 3 MB', () => envelope(messageJson({ id: `"wamid.${'A'.repeat(3_000_000)}"`, rest: text('"id"') }))],
  [
    'a status with an id of 3 MB',
    () => envelope(status(`"id":"wamid.${'B'.repeat(3_000_000)}","status":"delivered","timestamp":"1750000000"`)),
  ],
  [
    'a status of the year 255479',
    () =>
      envelope(
        status(
          `"id":"wamid.far","status":"failed","timestamp":8e15,"errors":[{"code":131026,"title":"\\u0000\\ud800"}]`,
        ),
      ),
  ],
  ['deep JSON', () => envelope(messageJson({ rest: `"type":"order","order":{"text":"deep","items":${deepArray}}` }))],
  [
    'deep JSON beside a long number',
    () => envelope(messageJson({ rest: `"type":"order","order":{"n":12345678901234567890,"items":${deepArray}}` })),
  ],
  [
    'wrong types',
    () =>
      envelope(
        `"statuses":[{"id":["a"],"status":{"x":1}},7],${messageJson({ from: '919812399998', id: '12', rest: '"type":["text"],"text":{"body":{"a":1}},"context":"none"' })}`,
      ),
  ],
  ['a person known by 1 MB', () => envelope(messageJson({ from: `"${'9'.repeat(1_000_000)}"`, rest: text('"who"') }))],
]

describe('poison-event: malformed events of a phone or a provider', () => {
  test.each(poisons)('%s: every callback gets 200 and a STOP among them is honoured', async (_, poison) => {
    const people = Array.from(
      { length: 12 },
      (__, index) => `9198124${String(Math.floor(Math.random() * 9999)).padStart(4, '0')}${index % 10}`,
    )
    const stopping = people[7] ?? ''
    const valid = people.map((from) =>
      envelope(messageJson({ from: `"${from}"`, rest: text(from === stopping ? '"STOP"' : '"Hello"') })),
    )
    const answers = await Promise.all([...valid.slice(0, 6), poison(), ...valid.slice(6)].map(post))
    expect(answers).toEqual(answers.map(() => 200))
    const stored = await query<{ phone: number }>(
      'select distinct phone from inbound_messages where phone = any($1::bigint[])',
      [people],
    )
    expect(stored).toHaveLength(new Set(people).size)
    expect(await query('select from opt_outs where phone = $1', [stopping])).toHaveLength(1)
    // All of these can be stored once cleaned: none has to be stored separately.
    expect(await query('select kind, error from poison_events')).toEqual([])
  })

  test('the storable part of it is stored', async () => {
    await query('delete from inbound_messages where phone = $1', [poisonPhone])
    for (const [, poison] of poisons) await post(poison())
    const rows = await query<{ text: string; content: unknown; year: number }>(
      `select text, content, extract(year from received_at)::int as year from inbound_messages where phone = $1`,
      [poisonPhone],
    )
    const texts = rows.map((row) => row.text)
    expect(texts).toContain('typed \\u0000 here')
    expect(texts).toContain('a  b')
    expect(texts).toContain('half \ufffd')
    expect(texts.some((each) => each.length === 4096)).toBe(true)
    expect(rows.map(({ content }) => content)).toContainEqual({
      type: 'button',
      button: { text: '\\u0000', payload: '\\\\u0000' },
    })
    expect(Math.max(...rows.map(({ year }) => year))).toBeLessThan(2100)
  })
})

describe('poison-event: an event that cannot be applied', () => {
  const key = () => ({ organizationId: other.organizationId, senderId: smsSenderId })
  const inbound = (from: string, words: string): InboundMessage & { raw: string } => ({
    kind: 'inbound-message',
    from,
    to: '56161',
    text: words,
    dedupeKey: newId(),
    at: new Date(),
    raw: words,
  })
  const report = (more: Partial<DeliveryReport & { raw: string }>): ProviderEvent => ({
    kind: 'delivery-report',
    providerMessageIds: [newId()],
    status: 'delivered',
    at: new Date(),
    raw: 'a report',
    ...more,
  })

  test('is stored raw, alone, and the others of the batch commit in their order', async () => {
    // No parser produces these: they represent whatever the cleaning misses.
    const unknownStatus = report({ status: 'lost' as never, raw: 'unknown status \u0000' })
    const noText = { ...inbound('919812311111', ''), text: undefined as never, raw: 'no text' }
    const events = [
      inbound('919812322220', 'START'),
      unknownStatus,
      inbound('919812322221', 'STOP'),
      noText,
      report({}),
      inbound('919812322222', 'Hello'),
    ]
    const effects = await applyProviderEvents(fixtures.server.database.systemPool, key(), events)
    expect(effects.inbound.map(({ text: words }) => words)).toEqual(['START', 'STOP', 'Hello'])
    expect(effects.poison).toMatchObject([{ kind: 'delivery-report' }, { kind: 'inbound-message' }])
    expect(await query('select from opt_outs where phone = 919812322221')).toHaveLength(1)
    const kept = await query<{ raw: Buffer; error: string; kind: string }>('select * from poison_events order by id')
    expect(kept).toMatchObject([
      {
        organization_id: other.organizationId,
        sender_id: smsSenderId,
        kind: 'delivery-report',
        raw: Buffer.from('unknown status \u0000'),
      },
      { kind: 'inbound-message', raw: Buffer.from('no text') },
    ])
    expect(kept[0]?.error).toContain('message_status')
    expect(await (await fetch(`${fixtures.server.url}/metrics`)).text()).toContain('carillon_poison_events 2')
  })

  test('is not acknowledged when it could not be stored', async () => {
    const { ownerPool, systemPool } = fixtures.server.database
    await ownerPool.query('alter table poison_events rename to poison_events_away')
    try {
      const events = [report({ status: 'lost' as never }), inbound('919812322223', 'STOP')]
      await expect(applyProviderEvents(systemPool, key(), events)).rejects.toThrow('poison_events')
    } finally {
      await ownerPool.query('alter table poison_events_away rename to poison_events')
    }
  })

  test('a database failure is not poison: nothing is stored, the provider repeats it', async () => {
    const { ownerPool, systemPool } = fixtures.server.database
    await ownerPool.query('alter table opt_outs rename to opt_outs_away')
    try {
      const events = [inbound('919812322224', 'Hello'), inbound('919812322225', 'STOP')]
      await expect(applyProviderEvents(systemPool, key(), events)).rejects.toThrow('opt_outs')
    } finally {
      await ownerPool.query('alter table opt_outs_away rename to opt_outs')
    }
    expect(await query('select from poison_events')).toEqual([])
  })
})
