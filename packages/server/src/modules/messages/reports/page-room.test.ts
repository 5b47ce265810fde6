import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProviderEvent } from '../../../channels/provider.ts'
import { buildManager } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { buildCampaign, buildSender, phoneOf } from '../test-lane.ts'
import { applyProviderEvents } from './apply-provider-events.ts'

const total = 1000
let opened: TestDatabase

beforeAll(async () => {
  opened = await testDatabase()
})

afterAll(() => opened.drop())

// Autovacuum may begin during a batch; without room on the pages, every attempt fails.
test(
  'messages stay on their pages when one batch reports on all neighbours, so that no index is written',
  { retry: 2, timeout: 200_000 },
  async () => {
    const { database } = opened
    const owner = await buildManager(database)
    const { organizationId } = owner
    const senderId = await buildSender(database, owner)
    const campaignId = await buildCampaign(database, { owner, senderId, total, status: 'paused' })
    await database.ownerPool.query(
      `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, provider_message_id, sent_at)
    select $1, current_date, $2, seq, 1, $3, ${phoneOf(0)} + seq, 'sent', 1, 0, 'p' || seq, now() from generate_series(0, ${total - 1}) seq`,
      [organizationId, campaignId, senderId],
    )
    const readPages = async (status: string) => {
      const { rows } = await database.ownerPool.query<{ page: number }>(
        `select (ctid::text::point)[0]::int as page from messages where campaign_id = $1 and status = $2 order by seq`,
        [campaignId, status],
      )
      return rows.map(({ page }) => page)
    }
    const before = await readPages('sent')
    // PostgreSQL reuses the space of old row versions when no snapshot of this database needs them. It looks anew only
    // when the oldest running transaction of the whole cluster has changed, so a long one of another database counts too.
    const canReuseSpace = async (lastWrite: string) => {
      const { rows } = await database.ownerPool.query(
        `select where pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8
          and not exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null)`,
        [lastWrite],
      )
      return rows.length === 1
    }
    for (const status of ['delivered', 'read'] as const) {
      const { rows } = await database.ownerPool.query<{ id: string }>(`select pg_current_xact_id()::text as id`)
      const lastWrite = rows[0]?.id ?? ''
      await until(() => canReuseSpace(lastWrite), 'the end of older transactions', 90_000)
      await applyProviderEvents(database.systemPool, { organizationId, senderId }, reportAll(status))
      expect(await readPages(status)).toEqual(before)
    }
  },
)

function reportAll(status: 'delivered' | 'read'): ProviderEvent[] {
  return Array.from({ length: total }, (_, seq) => ({
    kind: 'delivery-report',
    providerMessageIds: [`p${seq}`],
    status,
    at: new Date(),
    raw: `p${seq} ${status}`,
  }))
}
