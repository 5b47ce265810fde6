import type { DraftRecipient, DraftRecipients, ExclusionReason } from '@carillon/contract/campaign-drafts'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { buildManager } from '../../../testing/builders.ts'
import { smsLeg } from '../../../testing/draft-legs.ts'
import { buildRcsMessages, orderReady, type RcsMessages } from '../../../testing/rcs-messages.ts'
import { until } from '../../../testing/until.ts'
import { connectSmsBehind } from '../../../testing/whatsapp-campaigns.ts'

type Legs = z.input<typeof CampaignDraft>['legs']
type EntryType = NonNullable<Legs[number]['entryConditions']>[number]['type']
type Building = { isReachChecked?: boolean; rows?: readonly string[] }
type Query = { group: 'leg' | 'excluded'; leg?: number; number?: string; limit?: number; after?: number }

const columns = [{ column: 1, fallback: '' }]

let fixtures: RcsMessages
let templateId: string
let behind: Awaited<ReturnType<typeof connectSmsBehind>>

beforeAll(async () => {
  fixtures = await buildRcsMessages()
  fixtures.simulator.rbm.control.set({ reachShare: 1, batchGetLeast: 1 })
  templateId = (await fixtures.ask('rcsTemplates.create', { body: orderReady }))._id
  behind = await connectSmsBehind(fixtures, {
    name: 'order_ready_sms',
    body: 'Dear {#var#}, your order is ready. -Acme Retail',
    variables: [{ name: 'name', kind: 'var', sample: 'Asha' }],
  })
  await optOut('rcs', [...people('opted out of RCS'), ...people('opted out of both')])
  await optOut('sms', [...people('opted out of SMS'), ...people('opted out of both'), ...people('SMS only, opted out')])
}, 60_000)
afterAll(() => fixtures.close())

const optOut = (scope: 'rcs' | 'sms', numbers: readonly string[]) =>
  fixtures.ask('optOuts.add', { body: { scope, numbers: numbers.join('\n') } })

/** The last four digits 0404: no RCS. */
const kinds = {
  plain: { ending: '1200' },
  'SMS only': { ending: '0404' },
  'without a name': { ending: '1201', hasNoName: true },
  'SMS only, without a name': { ending: '0404', hasNoName: true },
  'opted out of RCS': { ending: '1202' },
  'opted out of SMS': { ending: '1203' },
  'opted out of both': { ending: '1204' },
  'SMS only, opted out': { ending: '0404' },
} satisfies Record<string, { ending: string; hasNoName?: boolean }>
type Kind = keyof typeof kinds
const allKinds = Object.keys(kinds) as Kind[]

/** Four people of a kind at home, and two abroad. */
function people(kind: Kind): string[] {
  const place = allKinds.indexOf(kind)
  const { ending } = kinds[kind]
  const india = Array.from({ length: 4 }, (_, index) => `+9198${place}${index}00${ending}`)
  return [...india, ...Array.from({ length: 2 }, (_, index) => `+14155${place}${index}${ending}`)]
}
const isNameless = (kind: Kind) => 'hasNoName' in kinds[kind]
const peopleOf = (...of: Kind[]) => of.flatMap(people).toSorted()

/** Everyone, one of each kind after the other, so that countries and kinds alternate in the file. */
async function buildAudience(): Promise<string> {
  const rows = Array.from({ length: 6 }, (_, index) =>
    allKinds.map((kind) => `${people(kind)[index]},${isNameless(kind) ? '' : `Person ${index}`}`),
  ).flat()
  return upload(rows)
}

async function upload(rows: readonly string[]): Promise<string> {
  const file = { name: 'people.csv', content: ['phone,name', ...rows, ''].join('\n') }
  const { _id: id } = await fixtures.ask('audience.create', { body: { defaultCountry: 'IN' }, files: { file } })
  const read = () => fixtures.ask('audience.get', { path: { id } })
  await until(async () => (await read()).status === 'ready', 'the audience')
  expect(await read()).toMatchObject({ accepted: rows.length })
  return id
}

const byRcs = () => ({
  channel: 'rcs' as const,
  senderId: fixtures.senderId,
  templateId,
  values: { variables: columns },
})
const bySms = (...types: EntryType[]) =>
  smsLeg({
    senderId: behind.smsAccount._id,
    templateId: behind.smsTemplate._id,
    variables: columns,
    entryConditions: types.map((type) => ({ type })),
  })

async function build(legs: Legs, { isReachChecked = true, rows }: Building = {}): Promise<string> {
  const audienceId = await (rows ? upload(rows) : buildAudience())
  const body = { campaignName: 'Orders', audienceId, legs }
  const { _id: id } = await fixtures.ask('drafts.create', { body })
  if (!isReachChecked) return id
  await fixtures.ask('drafts.checkReach', { path: { id }, query: {} })
  const read = () => fixtures.ask('drafts.reach', { path: { id } })
  await until(async () => (await read()).legs.every(({ status }) => status === 'done'), 'the check of reach')
  return id
}

const read = (id: string, query: Query) => fixtures.ask('drafts.recipients', { path: { id }, query })

/** Every page, the first of which is at the beginning. */
async function readAll(id: string, query: Query): Promise<DraftRecipients> {
  const first = await read(id, { limit: 4, ...query })
  const recipients = [...first.recipients]
  for (let { next } = first; next !== null;) {
    const page = await read(id, { limit: 4, ...query, after: next })
    expect(page.total).toBe(first.total)
    recipients.push(...page.recipients)
    next = page.next
  }
  return { ...first, recipients }
}

const numbersOf = (recipients: readonly DraftRecipient[]) => recipients.map(({ phoneNumber }) => phoneNumber).toSorted()

/** Every figure of the estimate with its list; each person is in one of them. */
async function readFigures(id: string) {
  const { legs, excluded, people: total } = await fixtures.ask('drafts.estimate', { path: { id } })
  const figures = [
    ...legs.map(({ leg, starters }) => ({ query: { group: 'leg' as const, leg }, figure: starters })),
    { query: { group: 'excluded' as const }, figure: excluded },
  ]
  const lists: DraftRecipient[][] = []
  for (const { query, figure } of figures) {
    const list = await readAll(id, query)
    expect({ query, total: list.total, listed: list.recipients.length }).toEqual({
      query,
      total: figure,
      listed: figure,
    })
    const seqs = list.recipients.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
    lists.push(list.recipients)
  }
  const all = lists.flat().map(({ seq }) => seq)
  expect(all.toSorted((one, other) => one - other)).toEqual(Array.from({ length: total }, (_, seq) => seq))
  return { begin: lists.slice(0, -1).map(numbersOf), excluded: reasonsOf(lists.at(-1) ?? []) }
}

const reasonsOf = (recipients: readonly DraftRecipient[]) =>
  Object.fromEntries(recipients.map(({ phoneNumber, excluded }) => [phoneNumber, excluded]))

const excluded = (of: Partial<Record<Kind, DraftRecipient['excluded']>>) =>
  Object.fromEntries(allKinds.flatMap((kind) => (of[kind] ? people(kind).map((phone) => [phone, of[kind]]) : [])))

const onRcs = (reason: ExclusionReason) => ({ leg: 0, channel: 'rcs', reason }) as const
const onSms = (reason: ExclusionReason) => ({ leg: 1, channel: 'sms', reason }) as const

test('numbers of the estimate list the people who begin with a message, and those who get none with the reason', async () => {
  const found = await readFigures(await build([byRcs(), bySms('not_reachable_on_channel')]))
  expect(found.begin).toEqual([peopleOf('plain', 'opted out of SMS'), peopleOf('SMS only')])
  expect(found.excluded).toEqual(
    excluded({
      'without a name': onSms('missing_variable'),
      'SMS only, without a name': onSms('missing_variable'),
      'opted out of RCS': onRcs('opted_out'),
      'opted out of both': onRcs('opted_out'),
      'SMS only, opted out': onSms('opted_out'),
    }),
  )
})

test('opt-outs lead to a message that is sent to them; those who cannot be reached to none that is not', async () => {
  const found = await readFigures(await build([byRcs(), bySms('no_consent_on_channel')]))
  expect(found.begin).toEqual([peopleOf('plain', 'opted out of SMS'), peopleOf('opted out of RCS')])
  expect(found.excluded).toEqual(
    excluded({
      'without a name': onSms('missing_variable'),
      'SMS only': onRcs('number_unreachable'),
      'SMS only, without a name': onRcs('number_unreachable'),
      'SMS only, opted out': onRcs('number_unreachable'),
      'opted out of both': onRcs('opted_out'),
    }),
  )
})

test('without a check of reach, and with a single message', async () => {
  const unchecked = await readFigures(await build([byRcs(), bySms('failed')], { isReachChecked: false }))
  expect(unchecked.begin).toEqual([peopleOf('plain', 'SMS only', 'opted out of SMS', 'SMS only, opted out'), []])
  const single = await readFigures(await build([bySms()], { isReachChecked: false }))
  expect(single.begin).toEqual([peopleOf('plain', 'SMS only', 'opted out of RCS')])
  expect(single.excluded).toMatchObject(
    excluded({
      'without a name': { leg: 0, channel: 'sms', reason: 'missing_variable' },
      'opted out of both': { leg: 0, channel: 'sms', reason: 'opted_out' },
    }),
  )
  const nameless = await build([smsLeg({ senderId: behind.smsAccount._id, templateId: await buildNotice() })], {
    isReachChecked: false,
  })
  expect((await readFigures(nameless)).begin[0]).toContain(people('without a name')[0])
})

test('numbers are found by their first digits within the group', async () => {
  const id = await build([byRcs(), bySms('not_reachable_on_channel')])
  const [home = '', abroad = ''] = [people('plain')[0], people('plain')[4]]
  const search = async (query: Query) => numbersOf((await readAll(id, query)).recipients)
  expect(await search({ group: 'leg', leg: 0, number: home })).toEqual([home])
  // Without the country code of India.
  expect(await search({ group: 'leg', leg: 0, number: home.slice(3, 8) })).toEqual([home])
  expect(await search({ group: 'leg', leg: 0, number: '1415' })).toEqual(
    peopleOf('plain', 'opted out of SMS').filter((phone) => phone.startsWith('+1415')),
  )
  expect(await search({ group: 'leg', leg: 1, number: abroad })).toEqual([])
  expect(await search({ group: 'excluded', number: 'none' })).toEqual([])
  expect(await read(id, { group: 'leg', leg: 0, number: home })).toMatchObject({ total: 12, next: null })
})

test('digits of very many numbers are searched for in the order of the group', async () => {
  const rows = Array.from(
    { length: 4500 },
    (_, index) => `+9197${String(10_000 + index)}000,${index % 900 ? 'Asha' : ''}`,
  )
  const id = await build([bySms()], { isReachChecked: false, rows })
  const nameless = await readAll(id, { group: 'excluded', number: '9197', limit: 2 })
  expect(nameless.recipients.map(({ seq }) => seq)).toEqual([0, 900, 1800, 2700, 3600])
  const found: number[] = []
  for (let next: number | null | undefined; next !== null;) {
    const after: Partial<Query> = next === undefined ? {} : { after: next }
    const page = await read(id, { group: 'leg', leg: 0, number: '919711', limit: 100, ...after })
    found.push(...page.recipients.map(({ seq }) => seq))
    next = page.next
  }
  expect(found).toEqual(Array.from({ length: 1000 }, (_, index) => 1000 + index).filter((seq) => seq % 900))
  const broad = await read(id, { group: 'leg', leg: 0, number: '9197', limit: 100, after: 4450 })
  expect(broad).toMatchObject({ next: null, total: 4495 })
  expect(broad.recipients.map(({ seq }) => seq)).toEqual(Array.from({ length: 49 }, (_, index) => 4451 + index))
})

test('a new opt-out shifts no page that follows, and counts on the first page', async () => {
  const id = await build([byRcs()])
  const late = people('plain')[3] ?? ''
  const first = await read(id, { group: 'leg', leg: 0, limit: 2 })
  await optOut('rcs', [late])
  const second = await read(id, { group: 'leg', leg: 0, limit: 100, after: first.next ?? 0 })
  expect(second.total).toBe(first.total)
  expect(numbersOf(second.recipients)).toContain(late)
  expect(await read(id, { group: 'leg', leg: 0 })).toMatchObject({ total: first.total - 1 })
  await readFigures(id)
  await fixtures.ask('optOuts.remove', { path: { channel: 'rcs', number: late } })
})

test('a message that the draft does not have, and drafts of others, are refused', async () => {
  const id = await build([byRcs()], { isReachChecked: false })
  const { server, admin, manager } = fixtures
  const call = (query: Query, as = manager) => server.call('drafts.recipients', { as, path: { id }, query })
  expect(await call({ group: 'leg' })).toMatchObject({ status: 400 })
  expect(await call({ group: 'leg', leg: 1 })).toMatchObject({ status: 400 })
  expect(await call({ group: 'excluded', limit: 101 })).toMatchObject({ status: 400 })
  const other = await buildManager(server.database, { parent: admin })
  expect(await call({ group: 'excluded' }, other)).toMatchObject({ status: 404 })
})

/** A template without variables. */
async function buildNotice(): Promise<string> {
  const { _id } = await fixtures.ask('smsTemplates.create', {
    body: {
      smsAccountId: behind.smsAccount._id,
      header: 'ACMERT',
      category: 'service_implicit',
      name: 'closed',
      body: 'Closed on Sunday. -Acme Retail',
      variables: [],
    },
  })
  return _id
}
