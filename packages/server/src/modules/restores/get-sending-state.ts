import type { Answer } from '@carillon/contract/endpoint'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import type { RestoredCampaign, sendingEndpoints } from '@carillon/contract/sending'
import type { Db } from '../../db/pool.ts'
import type { Scope } from '../../db/scope.ts'
import { restoreReasons, type RestoreReason } from './detect-restore.ts'
import { listUndecided, listUndecidedIds, type RestoredRow } from './restored-campaigns.queries.ts'
import { explainPause } from './restore-messages.ts'

type State = Answer<(typeof sendingEndpoints)['sending.state']>

export async function getSendingState(db: Db, { scope, query }: { scope: Scope; query: PageQuery }): Promise<State> {
  const { paused_at, pause_reason, advanced_at } = await db
    .selectFrom('installation')
    .select(['paused_at', 'pause_reason', 'advanced_at'])
    .executeTakeFirstOrThrow()
  const page = { campaigns: [], totalCampaigns: 0, totalPages: 1, currentPage: query.page }
  if (!paused_at) return { isPaused: false, ...page }
  const { length: total } = await listUndecidedIds(db, scope)
  const rows = await listUndecided(db, scope, { limit: query.limit, offset: (query.page - 1) * query.limit })
  return {
    isPaused: true,
    reason: explainPause(readReason(pause_reason)),
    pausedAt: paused_at.toISOString(),
    ...(advanced_at ? { lastActiveAt: advanced_at.toISOString() } : {}),
    campaigns: rows.map(presentRestored),
    totalCampaigns: total,
    totalPages: paginate(query, total).totalPages,
    currentPage: query.page,
  }
}

function readReason(text: string | null): RestoreReason {
  return restoreReasons.find((reason) => reason === text) ?? 'requested'
}

function presentRestored({ id, scheduledAt, ...row }: RestoredRow): RestoredCampaign {
  return {
    _id: id,
    ...row,
    done: Math.max(0, row.total - row.inFlight - row.waiting),
    ...(scheduledAt ? { scheduledAt: scheduledAt.toISOString() } : {}),
  }
}
