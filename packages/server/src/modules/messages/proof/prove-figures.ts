import type pg from 'pg'
import { withPatience } from '../../../db/bounded-queries.ts'
import type { Logger } from '../../../lib/logger.ts'
import { createCounter } from '../../../lib/metrics.ts'
import { inTransaction, run, type Queryable, type Statement } from '../statements.ts'
import { proveMessages } from './prove-messages.ts'
import { proveSums, sumDays } from './prove-sums.ts'
import { recountCampaigns, recountMessages } from './recount-messages.ts'

const mismatches = createCounter({
  name: 'carillon_report_mismatch_total',
  help: 'Figures of reports that differed from the messages or the ledger when they were compared',
  labelNames: [],
})

type Partition = {
  createdOn: string
  /** How often rows of it have been written. */
  changes: number
}

/** Partitions in which something was written since they were proved. Statistics that were reset only cause another proof. */
const findTouched: Statement = {
  name: 'find-touched-days',
  text: `
  select partition.created_on::text as "createdOn", partition.changes
  from (
    select to_date(right(relation.relname, 8), 'YYYYMMDD') as created_on, coalesce(n_tup_ins + n_tup_upd + n_tup_del, 0) as changes
    from pg_inherits
    join pg_class relation on relation.oid = inhrelid
    left join pg_stat_all_tables statistics on statistics.relid = relation.oid
    where inhparent = 'messages'::regclass
  ) partition
  left join proved_days known on known.created_on = partition.created_on
  where partition.created_on <= current_date + 1
    and ($1 or known.changes is distinct from partition.changes)
  order by partition.created_on desc`,
}

const noteProof: Statement = {
  name: 'note-proof',
  text: `insert into proved_days (created_on, changes, proved_at) values ($1, $2, now())
  on conflict (created_on) do update set changes = excluded.changes, proved_at = excluded.proved_at`,
}

type Proof = {
  /** Days of messages that were compared. */
  days: number
  /** Figures that differ. */
  mismatches: number
}

/**
 * Compares the figures of reports with the messages and the ledger: all, or those of days with changes since they were compared last. What
 * differs is stored in `report_mismatches`.
 */
export async function proveFigures(
  pool: pg.Pool,
  { logger, all = false }: { logger: Logger; all?: boolean },
): Promise<Proof> {
  return withPatience(async () => {
    await countOldDays(pool)
    const partitions = await run<Partition>(pool, findTouched, [all])
    let found = 0
    for (const partition of partitions) {
      found += await proveMessages(pool, partition.createdOn)
      await run(pool, noteProof, [partition.createdOn, partition.changes])
    }
    found += await proveSums(pool)
    if (found > 0) {
      mismatches({}).count += found
      logger.error({ mismatches: found }, 'figures of reports differ from the messages or the ledger: npm run prove')
    }
    return { days: partitions.length, mismatches: found }
  })
}

/**
 * Counts the days of messages that are older than the figures by day, after an upgrade. Counters that differ from them stay as they are, and
 * are found by the next proof.
 */
export async function countOldDays(pool: pg.Pool): Promise<void> {
  for (;;) {
    const counted = await inTransaction(pool, async (db) => {
      const { rows } = await db.query<{ day: string }>(`
        select created_on::text as day from proved_days where is_old and counted_at is null
        order by created_on desc limit 1 for update skip locked`)
      const [old] = rows
      if (!old) return false
      await recountMessages(db, old.day)
      await db.query('update proved_days set counted_at = now() where created_on = $1', [old.day])
      return true
    })
    if (!counted) return
  }
}

export type Mismatch = {
  organizationId: string
  source: 'messages' | 'campaigns' | 'days' | 'ledger'
  createdOn: string | null
  campaignId: string | null
  day: string | null
  differences: Record<string, unknown>
}

/** Figures that differ and were not counted again yet. */
export async function listMismatches(db: Queryable): Promise<Mismatch[]> {
  const { rows } = await db.query<Mismatch>(`
    select organization_id as "organizationId", source, created_on::text as "createdOn", campaign_id as "campaignId", day::text as day, differences
    from report_mismatches where mended_at is null order by organization_id, found_at, id`)
  return rows
}

/**
 * Counts figures that differ again, and compares them once more. Those that differ from the ledger stay: only a person can say which is right.
 * The audit log of each organization has what was changed.
 */
export async function mendFigures(pool: pg.Pool, { logger }: { logger: Logger }): Promise<Proof> {
  return withPatience(async () => {
    await inTransaction(pool, async (db) => {
      const days = await db.query<{ day: string }>(
        `select distinct created_on::text as day from report_mismatches where mended_at is null and created_on is not null order by 1`,
      )
      for (const { day } of days.rows) await recountCampaigns(db, day)
      await sumDays(db)
      await db.query(
        `select append_audit(organization_id, null, null, 'reports.recounted', 'report_mismatch', null, jsonb_build_object('figures', count(*)))
        from report_mismatches where mended_at is null group by organization_id order by organization_id`,
      )
      await db.query('update report_mismatches set mended_at = now() where mended_at is null')
    })
    return proveFigures(pool, { logger, all: true })
  })
}
