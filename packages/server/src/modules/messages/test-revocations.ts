import type { FailureClass } from '@carillon/contract/campaign-records'
import type { DeliveryReport } from '../../channels/provider.ts'
import { asSystem } from '../../db/pool.ts'
import type { Account } from '../../testing/builders.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { settleRevocations } from './housekeeping/settle-revocations.ts'
import { watchLegs } from './housekeeping/watch-legs.ts'
import { failoverNumbers } from './reads/failover-numbers.ts'
import { parseReference } from './reference.ts'
import { applyProviderEvents } from './reports/apply-provider-events.ts'
import { buildCampaign, buildSender, type FakeProvider, graceSeconds } from './test-lane.ts'

type Terms = {
  total: number
  unless?: 'delivered' | 'read'
  billableOn?: 'sent' | 'delivered'
  chunkSize?: number
}

export const price = 1000

/** A campaign whose first leg can be revoked, and whose second is for recipients that the first did not reach in time. */
export async function buildRevocable(opened: TestDatabase, manager: Account, first: string) {
  const { ownerPool, systemPool } = opened.database
  const second = await buildSender(opened.database, manager)
  const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await systemPool.query<Row>(text, values)).rows

  async function start({ total, unless = 'delivered', billableOn = 'delivered', chunkSize = 1000 }: Terms) {
    const campaignId = await buildCampaign(opened.database, {
      owner: manager,
      senderId: first,
      total,
      price: 2 * price,
      billableOn,
      chunkSize,
      status: 'paused',
    })
    await ownerPool.query(
      'update campaign_legs set price = $2, revoke_grace_seconds = $3, ttl_seconds = 600 where campaign_id = $1',
      [campaignId, price, graceSeconds],
    )
    await ownerPool.query(
      `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on,
        enter_reasons, enter_after_seconds, enter_unless)
      select organization_id, campaign_id, 2, 'sms', $2, content || '{"header":"BACKUP"}', price, billable_on,
        '{not_delivered_in_time,expired,revoked}', 600, $3
      from campaign_legs where campaign_id = $1`,
      [campaignId, second, unless],
    )
    await ownerPool.query(`update campaigns set status = 'queued' where id = $1`, [campaignId])
    return campaignId
  }

  /** Messages by person and leg: status, and reason if there is one. */
  async function statusesOf(campaignId: string): Promise<Record<string, string>> {
    const rows = await query<{ name: string; status: string; reason: string | null }>(
      `select seq || '.' || leg as name, status, case when status in ('failed', 'skipped') then reason end as reason
      from messages where campaign_id = $1 order by seq, leg`,
      [campaignId],
    )
    return Object.fromEntries(rows.map(({ name, status, reason }) => [name, reason ? `${status} ${reason}` : status]))
  }

  /** Reports on messages of these people, each applied twice. */
  async function report(
    campaignId: string,
    leg: number,
    reports: readonly (Pick<DeliveryReport, 'status'> & { seq: number; reason?: FailureClass })[],
  ) {
    const events = reports.map(({ seq, status, reason }) => ({
      kind: 'delivery-report' as const,
      providerMessageIds: [`p-${campaignId.replaceAll('-', '')}.${leg}.${seq}`],
      status,
      at: new Date(),
      ...(reason ? { reason, code: reason } : {}),
      raw: '',
    }))
    const key = { organizationId: manager.organizationId, senderId: leg === 1 ? first : second }
    await applyProviderEvents(systemPool, key, events)
    await applyProviderEvents(systemPool, key, events.toReversed())
  }

  /** Moves times back, as if these people's first messages had been sent an hour ago, and checks the leg. */
  async function passTime(campaignId: string, seqs: readonly number[]) {
    await ownerPool.query(
      `update messages set sent_at = now() - interval '1 hour', unknown_at = unknown_at - interval '1 hour'
      where campaign_id = $1 and leg = 1 and seq = any($2)`,
      [campaignId, seqs],
    )
    await ownerPool.query('update leg_watches set due_at = now() where campaign_id = $1', [campaignId])
    await watchLegs(systemPool)
  }

  /** Ends the grace period of revocations with a response, of these people or of all. */
  async function passGrace(campaignId: string, seqs?: readonly number[]) {
    await ownerPool.query(
      `update revocations set due_at = now() where campaign_id = $1 and outcome = 'given_up' and ($2::int[] is null or seq = any($2))`,
      [campaignId, seqs ?? null],
    )
    await settleRevocations(systemPool)
  }

  return { second, query, start, statusesOf, report, passTime, passGrace }
}

/** People by leg whose messages were handed over, in order. */
export function handedOver({ handedOver: messages }: FakeProvider, campaignId: string): string[] {
  return messages.flatMap(({ reference }) => {
    const place = parseReference(reference)
    return place?.campaignId === campaignId ? [`${place.seq}.${place.leg}`] : []
  })
}

export async function failoversOf({ database }: TestDatabase, { organizationId }: Account, campaignId: string) {
  const numbers = await asSystem(database, (db) => failoverNumbers(db, { organizationId, campaignIds: [campaignId] }))
  return numbers.get(campaignId)
}
