import fc from 'fast-check'
import type { FailureClass, MessageStatus } from '@carillon/contract/campaign-records'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DeliveryReport, SendOutcome } from '../../../channels/provider.ts'
import type { SmsMessage } from '../../../channels/sms/message.ts'
import { asSystem } from '../../../db/pool.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants } from '../../balance/index.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { chargeOf } from '../reports/evidence.ts'
import { failoverNumbers } from '../reads/failover-numbers.ts'
import { foldCounters } from './fold-counters.ts'
import { parseReference } from '../reference.ts'
import {
  buildCampaign,
  buildLane,
  buildSender,
  type FakeProvider,
  fakeProvider,
  startTestSender,
} from '../test-lane.ts'
import { watchLegs } from './watch-legs.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})
beforeEach(async () => {
  ;({ manager, senderId, fake } = await buildLane(opened.database))
})

const price = 1000
const inTime = 'not_delivered_in_time'

/** A leg after the first: the failures that lead to it, and its time limit. */
type LaterLeg = { reasons: string[]; afterSeconds: number | undefined; delaySeconds: number }

/** A campaign of several legs, each charged when it is delivered. */
async function buildLegs(total: number, laterLegs: readonly LaterLeg[]): Promise<string> {
  const campaignId = await buildCampaign(opened.database, {
    owner: manager,
    senderId,
    total,
    price: price * (1 + laterLegs.length),
    billableOn: 'delivered',
    status: 'paused',
  })
  const { ownerPool } = opened.database
  await ownerPool.query('update campaign_legs set price = $2 where campaign_id = $1', [campaignId, price])
  for (const [index, { reasons, afterSeconds, delaySeconds }] of laterLegs.entries())
    await ownerPool.query(
      `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on,
        enter_reasons, enter_after_seconds, enter_unless, enter_delay_seconds)
      select organization_id, campaign_id, $3, 'sms', sender_id, content, price, billable_on, $4, $5, 'delivered', $6
      from campaign_legs where organization_id = $1 and campaign_id = $2 and leg = 1`,
      [manager.organizationId, campaignId, index + 2, reasons, afterSeconds ?? null, delaySeconds],
    )
  await ownerPool.query(`update campaigns set status = 'queued' where id = $1`, [campaignId])
  return campaignId
}

type Place = { campaignId: string; leg: number; seq: number }

const placeOf = ({ reference }: SmsMessage): Place => {
  const place = parseReference(reference)
  if (!place) throw new Error(`${reference} is no reference of ours`)
  return place
}

const nameOf = ({ leg, seq }: Place) => `${seq}.${leg}`

const handedOver = (campaignId: string) =>
  fake.handedOver.map(placeOf).filter((place) => place.campaignId === campaignId)

type Report = Pick<DeliveryReport, 'status' | 'reason'>

const referenceOf = ({ campaignId, leg, seq }: Place) => `${campaignId.replaceAll('-', '')}.${leg}.${seq}`

/** Each is reported twice, the second time in reverse order. */
async function report(reports: readonly (Place & Report)[]) {
  const events = reports.map(({ status, reason, ...place }) => ({
    kind: 'delivery-report' as const,
    providerMessageIds: [`p-${referenceOf(place)}`],
    status,
    at: new Date(),
    ...(reason ? { reason, code: reason } : {}),
    raw: '',
  }))
  const key = { organizationId: manager.organizationId, senderId }
  await applyProviderEvents(opened.database.systemPool, key, events)
  await applyProviderEvents(opened.database.systemPool, key, events.toReversed())
}

/** Moves times back, as if these messages had been sent an hour ago and every wait were due now. */
async function passTime(campaignId: string, places: readonly Place[]) {
  const { ownerPool } = opened.database
  for (const leg of new Set(places.map((place) => place.leg)))
    await ownerPool.query(
      `update messages set sent_at = now() - interval '1 hour', unknown_at = unknown_at - interval '1 hour'
      where campaign_id = $1 and leg = $2 and seq = any($3)`,
      [campaignId, leg, places.filter((place) => place.leg === leg).map(({ seq }) => seq)],
    )
  await ownerPool.query(`update leg_watches set due_at = now() where campaign_id = $1`, [campaignId])
  await ownerPool.query(`update retries set due_at = now() where campaign_id = $1`, [campaignId])
  await watchLegs(opened.database.systemPool)
}

/** Messages by person and leg. */
async function statusesOf(campaignId: string): Promise<Record<string, MessageStatus>> {
  const { rows } = await opened.database.systemPool.query<Place & { status: MessageStatus }>(
    'select leg, seq, status from messages where campaign_id = $1',
    [campaignId],
  )
  return Object.fromEntries(rows.map((row) => [nameOf(row), row.status]))
}

/** Compares the counters of all legs with the expected statuses of the messages. */
async function assertCounted(campaignId: string, statuses: readonly MessageStatus[]) {
  await foldCounters(opened.database.systemPool)
  const { rows } = await opened.database.systemPool.query(
    `select sum(sent)::int as sent, sum(delivered)::int as delivered, sum(read)::int as read, sum(failed)::int as failed,
      sum(unknown)::int as unknown, sum(cost - refunded)::int as net
    from counters where campaign_id = $1`,
    [campaignId],
  )
  const count = (wanted: MessageStatus) => statuses.filter((status) => status === wanted).length
  expect(rows).toEqual([
    {
      sent: count('sent'),
      delivered: count('delivered'),
      read: count('read'),
      failed: count('failed'),
      unknown: count('unknown'),
      net: costOf(statuses),
    },
  ])
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
}

/** Everything that the organisation has paid. */
async function spent(): Promise<number> {
  const { rows } = await opened.database.systemPool.query<{ spent: number }>(
    `select sum(posted)::int as spent from ledger_accounts where organization_id = $1 and kind = 'spent'`,
    [manager.organizationId],
  )
  return rows[0]?.spent ?? 0
}

const costOf = (statuses: readonly MessageStatus[]) =>
  statuses.reduce((sum, status) => sum + chargeOf(status, price, 'delivered'), 0)

/** The steps of one person's test: reports of the first message, the time limit, reports of the second. */
const steps = ['fails', 'arrives', 'is read', 'time passes', 'the second arrives', 'the second fails'] as const
type Step = (typeof steps)[number]

const isOfSecond = (event: Step | undefined) => event === 'the second arrives' || event === 'the second fails'
const arrived: readonly (MessageStatus | undefined)[] = ['delivered', 'read']

/** The expected result of one person. Only the failover depends on the order; the rest follows from the set of reports. */
function model(events: readonly Step[]) {
  const first = (...wanted: Step[]) => events.findIndex((event) => wanted.includes(event))
  const failsOverAt = first('fails', 'time passes')
  const reaches = first('arrives', 'is read')
  const hasEntered = failsOverAt >= 0 && (reaches < 0 || failsOverAt < reaches)
  const has = (event: Step) => events.includes(event)
  const ofFirst: MessageStatus = has('is read')
    ? 'read'
    : has('arrives')
      ? 'delivered'
      : has('fails')
        ? 'failed'
        : 'sent'
  const ofSecond: MessageStatus = has('the second arrives') ? 'delivered' : has('the second fails') ? 'failed' : 'sent'
  return { failsOverAt, ofFirst, ofSecond: hasEntered ? ofSecond : undefined }
}

/** The second message must be sent before it can have a report. */
function isPossible(events: readonly Step[]): boolean {
  const firstOfSecond = events.findIndex(isOfSecond)
  if (firstOfSecond < 0) return true
  const { ofSecond, failsOverAt } = model(events)
  return ofSecond !== undefined && failsOverAt < firstOfSecond
}

function* permutations<Value>(values: readonly Value[]): Generator<Value[]> {
  if (values.length === 0) yield []
  for (const [index, value] of values.entries()) {
    for (const rest of permutations(values.toSpliced(index, 1))) yield [value, ...rest]
  }
}

/** Every order of every selection of steps. */
const people = Array.from({ length: 2 ** steps.length }, (_, bits) => steps.filter((_, index) => bits & (2 ** index)))
  .flatMap((set) => [...permutations(set)])
  .filter(isPossible)

const reportOf: Record<Exclude<Step, 'time passes'>, Report & { leg: number }> = {
  fails: { leg: 1, status: 'failed', reason: 'number_unreachable' },
  arrives: { leg: 1, status: 'delivered' },
  'is read': { leg: 1, status: 'read' },
  'the second arrives': { leg: 2, status: 'delivered' },
  'the second fails': { leg: 2, status: 'failed', reason: 'undelivered' },
}

/** Applies the next step of every person at once, and waits for the failovers that it causes. */
async function applyStep(campaignId: string, step: number) {
  const reports = people.flatMap((events, seq) => {
    const event = events[step]
    return event === undefined || event === 'time passes' ? [] : [{ campaignId, seq, ...reportOf[event] }]
  })
  await report(reports)
  const late = people.flatMap((events, seq) => (events[step] === 'time passes' ? [{ campaignId, leg: 1, seq }] : []))
  await passTime(campaignId, late)
  const enteredCount = people.filter((events) => {
    const { ofSecond, failsOverAt } = model(events)
    return ofSecond !== undefined && failsOverAt <= step
  }).length
  const written = async () => Object.keys(await statusesOf(campaignId)).length === people.length + enteredCount
  await until(written, `the second messages after step ${step}`)
}

test('every order of the first reports, the time limit and the second reports ends as the model predicts', async () => {
  const campaignId = await buildLegs(people.length, [
    { reasons: ['number_unreachable', inTime], afterSeconds: 600, delaySeconds: 0 },
  ])
  const sender = await startTestSender(opened, { provider: fake })
  await until(async () => Object.keys(await statusesOf(campaignId)).length === people.length, 'the first messages')
  for (let step = 0; step < steps.length; step += 1) await applyStep(campaignId, step)
  // A recipient that did not fail over stays in the first leg, however often the leg is checked.
  await passTime(campaignId, [])
  await sender.stop()

  const ends = people.map(model)
  const expected = ends.flatMap(({ ofFirst, ofSecond }, seq): [string, MessageStatus][] => [
    [`${seq}.1`, ofFirst],
    ...(ofSecond ? [[`${seq}.2`, ofSecond] satisfies [string, MessageStatus]] : []),
  ])
  expect(await statusesOf(campaignId)).toEqual(Object.fromEntries(expected))
  expect(handedOver(campaignId).map(nameOf).toSorted()).toEqual(expected.map(([name]) => name).toSorted())
  await assertCounted(campaignId, expected.map(([, status]) => status)) // prettier-ignore

  expect(await spent()).toBe(costOf(expected.map(([, status]) => status)))

  const failover = ends.filter(({ ofSecond }) => ofSecond !== undefined)
  const key = { organizationId: manager.organizationId, campaignIds: [campaignId] }
  const numbers = await asSystem(opened.database, (db) => failoverNumbers(db, key))
  const outranked: Record<string, number> = {}
  for (const { ofFirst, ofSecond = 'queued' } of failover) {
    const counts =
      arrived.includes(ofFirst) && !(arrived.includes(ofSecond) && ofFirst === 'delivered') ? ofFirst : ofSecond
    const other = counts === ofFirst ? ofSecond : ofFirst
    outranked[other] = (outranked[other] ?? 0) + 1
  }
  expect(numbers.get(campaignId)).toMatchObject({
    campaignId,
    entered: failover.length,
    outranked,
    sent: failover.length,
    delivered: failover.filter(({ ofSecond }) => arrived.includes(ofSecond)).length,
    // Only where the first message was delivered after the second was sent.
    both: failover.filter(({ ofFirst, ofSecond }) => arrived.includes(ofFirst) && arrived.includes(ofSecond)).length,
    waiting: undefined,
  })
}, 60_000)

/** The possible results of one message; a leg that no recipient enters has no messages. */
const reasons = ['number_unreachable', 'undelivered', 'user_marketing_cap'] as const satisfies FailureClass[]
const results = [
  'delivered',
  'silent',
  'unknown',
  ...reasons,
  ...reasons.map((reason) => `reported ${reason}` as const),
]
type Result = (typeof results)[number]

/** A generated campaign: its legs, and for each person the result of the message in each leg. */
type Generated = { laterLegs: LaterLeg[]; people: Result[][] }

const reasonOf = (result: Result) => reasons.find((reason) => result.endsWith(reason))

function outcomeOf(result: Result, { reference }: SmsMessage): SendOutcome {
  if (result === 'unknown') return { kind: 'unknown', code: 'timeout', detail: '' }
  const reason = reasons.find((each) => each === result)
  if (reason) return { kind: 'rejected', reason, code: reason, detail: '', scope: 'message' }
  return { kind: 'accepted', providerMessageIds: [`p-${reference}`] }
}

function statusOf(result: Result): MessageStatus {
  if (result === 'silent') return 'sent'
  return result === 'unknown' || result === 'delivered' ? result : 'failed'
}

/** The expected path of one person: to the first later leg that accepts the result, and so on. */
function predictPath(
  laterLegs: readonly LaterLeg[],
  ofPerson: readonly Result[],
): { leg: number; status: MessageStatus }[] {
  const path: { leg: number; status: MessageStatus }[] = []
  for (let leg: number | undefined = 1; leg !== undefined;) {
    const result: Result = ofPerson[leg - 1] ?? 'delivered'
    path.push({ leg, status: statusOf(result) })
    const end = result === 'delivered' ? undefined : (reasonOf(result) ?? inTime)
    const next = laterLegs.findIndex(
      (each, index) => index + 2 > (leg ?? 0) && end !== undefined && each.reasons.includes(end),
    )
    leg = next < 0 ? undefined : next + 2
  }
  return path
}

const generatedLeg: fc.Arbitrary<LaterLeg> = fc
  .record({ chosen: fc.subarray([...reasons]), hasTimeLimit: fc.boolean(), waits: fc.boolean() })
  .map(({ chosen, hasTimeLimit, waits }) => ({
    reasons: hasTimeLimit || chosen.length === 0 ? [...chosen, inTime] : chosen,
    afterSeconds: hasTimeLimit || chosen.length === 0 ? 600 : undefined,
    delaySeconds: waits ? 3600 : 0,
  }))

const generated: fc.Arbitrary<Generated> = fc.record({
  laterLegs: fc.array(generatedLeg, { maxLength: 2 }),
  people: fc.array(fc.tuple(fc.constantFrom(...results), fc.constantFrom(...results), fc.constantFrom(...results)), {
    minLength: 1,
    maxLength: 30,
  }),
})

/** Sends the operator's reports after acceptance, and moves time on for recipients without a report. */
async function advance(campaignId: string, { people: generatedPeople }: Generated, reported: Set<string>) {
  const written = await statusesOf(campaignId)
  const unreported = handedOver(campaignId).filter((place) => !reported.has(nameOf(place)) && written[nameOf(place)])
  for (const place of unreported) reported.add(nameOf(place))
  const reports = unreported.flatMap((place): (Place & Report)[] => {
    const result = generatedPeople[place.seq]?.[place.leg - 1]
    if (result === 'delivered') return [{ ...place, status: 'delivered' }]
    const reason = result?.startsWith('reported') ? reasonOf(result) : undefined
    return reason ? [{ ...place, status: 'failed', reason }] : []
  })
  await report(reports)
  await passTime(campaignId, unreported)
}

test('with up to three legs and any results, everyone fails over as the model predicts, and the money adds up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(generated, { minLength: 5, maxLength: 5 }), async (campaigns) => {
      manager = await buildManager(opened.database)
      senderId = await buildSender(opened.database, manager)
      fake = fakeProvider()
      const plans = new Map<string, Generated & { reported: Set<string>; paths: ReturnType<typeof predictPath>[] }>()
      fake.answer = (message) => {
        const { campaignId, leg, seq } = placeOf(message)
        return outcomeOf(plans.get(campaignId)?.people[seq]?.[leg - 1] ?? 'delivered', message)
      }
      for (const plan of campaigns) {
        const paths = plan.people.map((resultsOfPerson) => predictPath(plan.laterLegs, resultsOfPerson))
        plans.set(await buildLegs(plan.people.length, plan.laterLegs), { ...plan, reported: new Set(), paths })
      }
      const sender = await startTestSender(opened, { provider: fake })
      for (const [campaignId, plan] of plans) {
        const expectedCount = plan.paths.flat().length
        await until(
          async () => {
            await advance(campaignId, plan, plan.reported)
            return plan.reported.size === expectedCount
          },
          `the ${expectedCount} messages of ${JSON.stringify(plan)}`,
        )
      }
      // Long after, no failover is left.
      for (const [campaignId, plan] of plans) await advance(campaignId, plan, plan.reported)
      await sender.stop()

      let net = 0
      for (const [campaignId, { paths }] of plans) {
        const expected = paths.flatMap((path, seq) =>
          path.map(({ leg, status }) => ({ name: nameOf({ campaignId, leg, seq }), status })),
        )
        expect(await statusesOf(campaignId)).toEqual(
          Object.fromEntries(expected.map(({ name, status }) => [name, status])),
        )
        expect(handedOver(campaignId).map(nameOf).toSorted()).toEqual(expected.map(({ name }) => name).toSorted())
        await assertCounted(campaignId, expected.map(({ status }) => status)) // prettier-ignore
        net += costOf(expected.map(({ status }) => status))
      }
      expect(await spent()).toBe(net)
    }),
    { numRuns: 4 },
  )
}, 120_000)
