import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { daysOfIds, onDays } from '../../../db/partition-days.ts'

export type SingleOutcome = { kind: 'under-way' | 'delivered' } | { kind: 'failed'; detail: string }

/** The outcome of one of the organisation's single sends; undefined if it does not exist (any more). */
export async function findSingleOutcome(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<SingleOutcome | undefined> {
  const days = daysOfIds([id])
  const { rows } = await sql<{ status: string | null; detail: string | null; code: string | null }>`
    select message.status, message.detail, message.code
    from single_sends single
    left join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
      and message.campaign_id = single.id and message.seq = 0 and message.leg = 0 and ${onDays('message.created_on', days)}
    where single.organization_id = ${organizationId}::uuid and single.id = ${id}::uuid and ${onDays('single.created_on', days)}`.execute(
    db,
  )
  const [row] = rows
  if (!row) return undefined
  if (row.status === 'delivered' || row.status === 'read') return { kind: 'delivered' }
  if (row.status === 'failed' || row.status === 'skipped' || row.status === 'unknown')
    return { kind: 'failed', detail: row.detail ?? row.code ?? 'the provider gave no reason' }
  return { kind: 'under-way' }
}
