import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageStatus } from '@carillon/contract/campaign-records'
import { asSystem } from '../../../db/pool.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants } from '../../balance/index.ts'
import { claimRevocations, type DueRevocation } from '../engine/revocations.queries.ts'
import { recordOutcomes } from '../engine/run-revocations.ts'
import { chargeOf } from '../reports/evidence.ts'
import { buildLane, type FakeProvider, startTestSender } from '../test-lane.ts'
import { buildRevocable, failoversOf, handedOver, price } from '../test-revocations.ts'
import { foldCounters } from './fold-counters.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase
let manager: Account
let first: string
let fake: FakeProvider
let own: Awaited<ReturnType<typeof buildRevocable>>

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 30, owner: 3 })
  ;({ manager, senderId: first, fake } = await buildLane(opened.database, { revokes: true }))
  own = await buildRevocable(opened, manager, first)
})
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})

/** What can happen to one recipient. The provider answers a request with 200 or with 404. */
const steps = ['delivered', 'read', 'expired', 'time', 'accepted', 'not found', 'grace', 'second delivered'] as const
type Step = (typeof steps)[number]

/** One recipient according to the rules, without a database. */
type Person = {
  status: MessageStatus
  revocation: 'none' | 'asked' | 'given_up' | 'kept'
  second: MessageStatus | undefined
  /** Steps before the second message was handed over; undefined without one. */
  before: readonly Step[] | undefined
  requests: number
}

const untouched: Person = { status: 'sent', revocation: 'none', second: undefined, before: undefined, requests: 0 }

const fail = (person: Person, before: readonly Step[]): Person =>
  person.status === 'sent' ? { ...person, status: 'failed', second: 'sent', before } : person

const answer = (person: Person, revocation: Person['revocation']) =>
  person.revocation === 'asked' ? { ...person, revocation } : undefined

/** The recipient after one more step; undefined if the step is not possible. */
const rules: Record<Step, (person: Person, before: readonly Step[]) => Person | undefined> = {
  delivered: (person) => ({ ...person, status: person.status === 'read' ? 'read' : 'delivered' }),
  read: (person) => ({ ...person, status: 'read' }),
  expired: fail,
  time: (person) => (person.status === 'sent' ? { ...person, revocation: 'asked', requests: 1 } : person),
  accepted: (person) => answer(person, 'given_up'),
  'not found': (person) => answer(person, 'kept'),
  grace: (person, before) =>
    person.revocation === 'given_up' ? { ...fail(person, before), revocation: 'none' } : undefined,
  'second delivered': (person) => (person.second ? { ...person, second: 'delivered' } : undefined),
}

type Story = { events: readonly Step[]; end: Person; /** The recipient after each step. */ states: readonly Person[] }

/** Every possible order of every selection of steps. */
function* stories(story: Story = { events: [], end: untouched, states: [] }): Generator<Story> {
  yield story
  for (const step of steps) {
    if (story.events.includes(step)) continue
    const end = rules[step](story.end, story.events)
    if (end) yield* stories({ events: [...story.events, step], end, states: [...story.states, end] })
  }
}

const people = [...stories()]

const isStep =
  (wanted: Step, index: number) =>
  ({ events }: Story): boolean =>
    events[index] === wanted

const seqsWith = (matches: (story: Story) => boolean) => people.flatMap((story, seq) => (matches(story) ? [seq] : []))

/** The lane of the first sender belongs to the test, which asks and answers for it. */
const epoch = 1000

async function takeLane() {
  await own.query(
    `update lanes set owner = 'test', epoch = $2, lease_until = now() + interval '1 hour' where sender_id = $1`,
    [first, epoch],
  )
}

type Report = { status: 'delivered' | 'read' | 'failed'; reason?: 'expired' }

function reportOf(step: Step | undefined): Report | undefined {
  if (step === 'delivered' || step === 'read') return { status: step }
  return step === 'expired' ? { status: 'failed', reason: 'expired' } : undefined
}

async function applyStep(campaignId: string, index: number, asked: Map<number, DueRevocation>) {
  const key = { organizationId: manager.organizationId, senderId: first, epoch }
  const pool = opened.database.systemPool
  await own.report(
    campaignId,
    1,
    people.flatMap(({ events }, seq) => {
      const report = reportOf(events[index])
      return report ? [{ seq, ...report }] : []
    }),
  )
  await own.report(
    campaignId,
    2,
    seqsWith(isStep('second delivered', index)).map((seq) => ({ seq, status: 'delivered' })),
  )
  await own.passTime(campaignId, seqsWith(isStep('time', index)))
  for (;;) {
    const due = await claimRevocations(pool, key, 1000)
    for (const each of due) asked.set(each.seq, each)
    if (due.length < 1000) break
  }
  for (const [step, kind] of [
    ['accepted', 'requested'],
    ['not found', 'not_found'],
  ] as const) {
    const answered = seqsWith(isStep(step, index)).flatMap((seq) => asked.get(seq) ?? [])
    await recordOutcomes({ pool, key }, answered, new Map(answered.map((due) => [due, { kind }])))
  }
  await own.passGrace(campaignId, seqsWith(isStep('grace', index)))
  const messages = people.reduce((sum, { states, end }) => sum + ((states[index] ?? end).second ? 2 : 1), 0)
  await until(
    async () => Object.keys(await own.statusesOf(campaignId)).length === messages,
    `the second messages after step ${index}`,
  )
}

test('every order of reports, expiry, time limit, response, grace period and second report ends as the model predicts', async () => {
  expect(people.length).toBeGreaterThan(500)
  const campaignId = await own.start({ total: people.length, chunkSize: people.length })
  const sending = await startTestSender(opened, { provider: fake })
  await until(async () => Object.keys(await own.statusesOf(campaignId)).length === people.length, 'the first leg')
  await sending.stop()
  await takeLane()
  const sender = await startTestSender(opened, { provider: fake })
  const asked = new Map<number, DueRevocation>()
  const longest = Math.max(...people.map(({ events }) => events.length))
  for (let index = 0; index < longest; index += 1) await applyStep(campaignId, index, asked)
  await own.passTime(campaignId, [])
  await sender.stop()

  const expected = people.flatMap(({ end }, seq): [string, MessageStatus][] => [
    [`${seq}.1`, end.status],
    ...(end.second ? [[`${seq}.2`, end.second] satisfies [string, MessageStatus]] : []),
  ])
  const statuses = Object.entries(await own.statusesOf(campaignId)).map(([name, status]) => [
    name,
    status.split(' ')[0],
  ])
  expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(expected))
  expect(handedOver(fake, campaignId).toSorted()).toEqual(expected.map(([name]) => name).toSorted())
  // Two messages only if no delivery was reported before the second was handed over, nor implied by a 404 alone.
  for (const { end } of people) {
    expect(end.before?.includes('delivered') ?? false).toBe(false)
    expect(end.before?.includes('read') ?? false).toBe(false)
    if (end.before?.includes('not found')) expect(end.before).not.toContain('grace')
  }
  expect([...asked.keys()].toSorted((one, other) => one - other)).toEqual(seqsWith(({ end }) => end.requests === 1))
  const open = await own.query<{ seq: number; revocation: string }>(
    `select seq, coalesce(outcome, 'asked') as revocation from revocations where campaign_id = $1`,
    [campaignId],
  )
  expect(Object.fromEntries(open.map(({ seq, revocation }) => [seq, revocation]))).toEqual(
    Object.fromEntries(
      people.flatMap(({ end }, seq) => (end.revocation === 'none' ? [] : [[seq, end.revocation] as const])),
    ),
  )

  await foldCounters(opened.database.systemPool)
  const all = expected.map(([, status]) => status)
  const count = (wanted: MessageStatus) => all.filter((status) => status === wanted).length
  const net = all.reduce((sum, status) => sum + chargeOf(status, price, 'delivered'), 0)
  const [counted] = await own.query(
    `select sum(sent)::int as sent, sum(delivered)::int as delivered, sum(read)::int as read, sum(failed)::int as failed,
      sum(skipped)::int as skipped, sum(cost - refunded)::int as net
    from counters where campaign_id = $1`,
    [campaignId],
  )
  const [sent, delivered, read, failed] = (['sent', 'delivered', 'read', 'failed'] as const).map(count)
  expect(counted).toEqual({ sent, delivered, read, failed, skipped: 0, net })
  const failovers = people.filter(({ end }) => end.second)
  const arrived = (status: MessageStatus | undefined) => status === 'delivered' || status === 'read'
  expect(await failoversOf(opened, manager, campaignId)).toMatchObject({
    entered: failovers.length,
    sent: failovers.length,
    twice: failovers.length,
    delivered: failovers.filter(({ end }) => arrived(end.second)).length,
    both: failovers.filter(({ end }) => arrived(end.second) && arrived(end.status)).length,
  })
  const [ledger] = await own.query(
    `select sum(posted)::int as spent from ledger_accounts where organization_id = $1 and kind = 'spent'`,
    [manager.organizationId],
  )
  expect(ledger).toEqual({ spent: net })
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
}, 180_000)
