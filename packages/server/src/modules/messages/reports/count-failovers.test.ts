import type { FailureClass } from '@carillon/contract/campaign-records'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { foldCounters } from '../housekeeping/fold-counters.ts'
import { buildCampaign, buildLane, startTestSender, type FakeProvider } from '../test-lane.ts'
import { applyProviderEvents } from './apply-provider-events.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let fake: FakeProvider

beforeAll(async () => {
  opened = await testDatabase()
  ;({ manager, senderId, fake } = await buildLane(opened.database))
})
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})

const total = 240
const everyone = [...Array(total).keys()]

async function buildFourLegs(): Promise<string> {
  const campaignId = await buildCampaign(opened.database, {
    owner: manager,
    senderId,
    total,
    price: 4000,
    status: 'paused',
  })
  const { ownerPool } = opened.database
  await ownerPool.query('update campaign_legs set price = 1000 where campaign_id = $1', [campaignId])
  for (const leg of [2, 3, 4])
    await ownerPool.query(
      `insert into campaign_legs (organization_id, campaign_id, leg, draft_leg, channel, sender_id, content, price, enter_reasons)
      select organization_id, campaign_id, $2::int, $2::int - 1, 'sms', sender_id, content, price, '{undelivered}'
      from campaign_legs where campaign_id = $1 and leg = 1`,
      [campaignId, leg],
    )
  await ownerPool.query(`update campaigns set status = 'queued' where id = $1`, [campaignId])
  return campaignId
}

type Told = { leg: number; status: 'delivered' | 'read' | 'failed'; reason?: FailureClass }

/** In batches, each in an order of its own. */
async function report(campaignId: string, { leg, status, reason }: Told, seqs: readonly number[] = everyone) {
  for (let next = 0; next < seqs.length; next += 60)
    await applyProviderEvents(
      opened.database.systemPool,
      { organizationId: manager.organizationId, senderId },
      seqs
        .slice(next, next + 60)
        .toSorted((one, other) => ((one * 7919 * leg) % 61) - ((other * 7919 * leg) % 61))
        .map((seq) => ({
          kind: 'delivery-report' as const,
          providerMessageIds: [`p-${campaignId.replaceAll('-', '')}.${leg}.${seq}`],
          status,
          at: new Date(),
          ...(reason ? { reason, code: reason } : {}),
          raw: '',
        })),
    )
}

const fails = (leg: number): Told => ({ leg, status: 'failed', reason: 'undelivered' })

/** A recipient who entered a leg has its message, or was taken back because an earlier one was delivered first. */
async function isSettled(campaignId: string) {
  const { rows } = await opened.database.systemPool.query<{ open: number }>(
    `select (select count(*) from leg_entries where campaign_id = $1 and after = 'queued')::int
      + (select ${total} - count(*) from messages where campaign_id = $1 and leg = 1)::int as open`,
    [campaignId],
  )
  return rows[0]?.open === 0
}

/** What the entries say, computed from the messages, and the counts, computed from the entries. */
const computed = `
  with path as (
    select entry.leg, entry.seq, before.status as before, coalesce(after.status, 'queued') as after,
      coalesce(max(before.status) filter (where before.status in ('delivered', 'read')) over path, before.status) as earlier,
      count(*) filter (where before.status in ('delivered', 'read')) over path as delivered
    from leg_entries entry
    join messages before on before.campaign_id = entry.campaign_id and before.seq = entry.seq and before.leg = entry.from_leg
    left join messages after on after.campaign_id = entry.campaign_id and after.seq = entry.seq and after.leg = entry.leg
    where entry.campaign_id = $1
    window path as (partition by entry.seq order by entry.leg)
  )`

async function assertConsistent(campaignId: string) {
  const { ownerPool, systemPool } = opened.database
  await foldCounters(systemPool)
  const { rows: wrong } = await ownerPool.query(
    `${computed} select entry.leg, entry.seq, entry.before, entry.after, entry.earlier, entry.earlier_delivered, path.*
    from path join leg_entries entry on entry.campaign_id = $1 and entry.leg = path.leg and entry.seq = path.seq
    where (entry.before, entry.after, entry.earlier, entry.earlier_delivered) is distinct from (path.before, path.after, path.earlier, path.delivered)`,
    [campaignId],
  )
  expect(wrong).toEqual([])
  const { rows: counted } = await ownerPool.query(
    `select leg, before, after, sum(entries)::int as entries, sum(seconds)::int as seconds from failover_counts where campaign_id = $1
    group by 1, 2, 3 having sum(entries) <> 0 or sum(seconds) <> 0 order by 1, 2, 3`,
    [campaignId],
  )
  const { rows: expected } = await ownerPool.query(
    `${computed} select leg, earlier as before, after, count(*)::int as entries,
      count(*) filter (where after in ('delivered', 'read') and delivered = 1)::int as seconds
    from path group by 1, 2, 3 order by 1, 2, 3`,
    [campaignId],
  )
  expect(counted).toEqual(expected)
}

test('reports of several legs of the same people, applied at the same time, leave exact entries and counts', async () => {
  const campaignId = await buildFourLegs()
  const sender = await startTestSender(opened, { provider: fake })
  await until(() => isSettled(campaignId), 'the first leg')
  await report(campaignId, fails(1))
  await until(() => isSettled(campaignId), 'the second leg')
  // People move on to the third leg while their first message is reported as delivered after all.
  await Promise.all([
    report(campaignId, fails(2), everyone),
    report(campaignId, { leg: 1, status: 'delivered' }, everyone.toReversed().slice(0, 160)),
  ])
  await until(() => isSettled(campaignId), 'the third leg')
  await Promise.all([
    report(campaignId, fails(3), everyone.slice(40)),
    report(campaignId, { leg: 2, status: 'delivered' }, everyone.toReversed()),
    report(campaignId, { leg: 1, status: 'read' }, everyone.slice(0, 120)),
    report(campaignId, { leg: 3, status: 'delivered' }, everyone.slice(0, 40)),
  ])
  await until(() => isSettled(campaignId), 'the fourth leg')
  await report(campaignId, { leg: 4, status: 'delivered' }, everyone.slice(100))
  await sender.stop()
  await assertConsistent(campaignId)
}, 60_000)
