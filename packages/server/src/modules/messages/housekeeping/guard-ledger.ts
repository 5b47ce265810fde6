import type pg from 'pg'
import type { Logger } from '../../../lib/logger.ts'
import { findBreaches, freezeLedger } from '../../balance/index.ts'

/** A ledger that does not balance stops sending for its own organisation only, until an operator has investigated. */
export async function guardLedger(pool: pg.Pool, logger: Logger): Promise<void> {
  const breaches = await findBreaches(pool)
  for (const { organizationId, breach } of breaches)
    logger.error({ organizationId, breach }, 'the ledger does not add up')
  const organizations = [...new Set(breaches.flatMap(({ organizationId }) => organizationId ?? []))]
  if (organizations.length === 0) return
  await freezeLedger(pool, organizations)
  await pool.query(
    `select move_campaign(organization_id, id, 'paused') from campaigns
    where organization_id = any($1::uuid[]) and status in ('queued', 'running')`,
    [organizations],
  )
  await pool.query(
    `update priority_messages set due_at = greatest(due_at, now() + interval '5 minutes')
    where organization_id = any($1::uuid[]) and submitting_epoch is null`,
    [organizations],
  )
}
