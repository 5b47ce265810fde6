import { PauseReason } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import { countsOfCampaign, type Counts } from '../../messages/index.ts'
import { instant, subjectArrays, subjectOf, type Describe, type QueuedOf } from './occurrence.ts'

type Row = {
  id: string
  path: string
  name: string
  channel: Channel
  pause_reason: string | null
  total: number
  started_at: Date | null
  completed_at: Date | null
  counts: Counts | null
  /** When it was started and resumed. */
  begun: { event: 'started' | 'resumed'; at: string }[]
}

export const describeCampaigns: Describe<'campaign.changed'> = async (db, events) => {
  const { organizations, ids } = subjectArrays(events.filter(({ payload }) => payload.status in types))
  if (ids.length === 0) return events.map(() => [])
  const { rows } = await sql<Row>`
    select campaigns.id, path::text, name, channel, pause_reason, total, started_at, completed_at, ${countsOfCampaign} as counts,
      coalesce((select json_agg(json_build_object('event', event, 'at', at) order by at) from campaign_events
        where organization_id = campaigns.organization_id and campaign_id = campaigns.id and event in ('started', 'resumed')), '[]') as begun
    from unnest(${organizations}::uuid[], ${ids}::uuid[]) as asked (organization_id, id)
    join campaigns using (organization_id, id)`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return events.map((event) => {
    const row = byId.get(subjectOf(event))
    const type = row && typeOf(event, row)
    return type ? [{ type, data: present(event, row), visibleTo: { path: row.path } }] : []
  })
}

const types = { running: 'campaign.started', paused: 'campaign.paused', completed: 'campaign.completed' } as const

function typeOf({ payload: { status }, at }: QueuedOf<'campaign.changed'>, { begun }: Row) {
  if (status !== 'running') return status === 'paused' || status === 'completed' ? types[status] : undefined
  // A campaign that is resumed runs again.
  const before = begun.filter((entry) => new Date(entry.at) <= at)
  return before.at(-1)?.event === 'resumed' ? undefined : types.running
}

function present({ payload: { status } }: QueuedOf<'campaign.changed'>, row: Row) {
  const { id, name, channel, total, counts } = row
  const pauseReason = status === 'paused' ? PauseReason.safeParse(row.pause_reason).data : undefined
  return {
    id,
    name,
    channel,
    status,
    ...(pauseReason && { pauseReason }),
    total,
    ...numbersOf(counts ?? {}),
    ...instant('startedAt', row.started_at),
    ...instant('completedAt', row.completed_at),
  }
}

/** Nothing was counted yet at the start. */
function numbersOf({ sent = 0, delivered = 0, read = 0, failed = 0, skipped = 0 }: Partial<Counts>) {
  return { sent, delivered, read, failed, skipped }
}
