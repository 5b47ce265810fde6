import type { Channel } from '@carillon/contract/channels'
import { reviewStatuses } from '@carillon/contract/review-statuses'
import { sql } from 'kysely'
import { subjectArrays, subjectOf, type Describe, type QueuedOf } from './occurrence.ts'

type Row = {
  id: string
  name: string
  channel: Channel
  language: string
  category: string
  status: string
  quality: string | null
}

/** Entries of the history that change the status, besides those that are named after it. */
const submissions: Record<string, string> = { submitted: 'pending', resubmitted: 'pending', published: 'approved' }
const statuses: ReadonlySet<string> = new Set(reviewStatuses.map((status) => status.toLowerCase()))

export const describeTemplates: Describe<'template.changed'> = async (db, events) => {
  const wanted = events.filter(({ payload }) => typeOf(payload.change))
  const { organizations, ids } = subjectArrays(wanted)
  if (ids.length === 0) return events.map(() => [])
  const { rows } = await sql<Row>`
    select template.id, name, channel, language, category, status, facts ->> 'quality' as quality
    from unnest(${organizations}::uuid[], ${ids}::uuid[]) as asked (organization_id, id)
    join templates template using (organization_id, id)`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return events.map((event) => {
    const type = typeOf(event.payload.change)
    const row = byId.get(subjectOf(event))
    return type && row ? [{ type, data: present(row, event), visibleTo: 'organization' }] : []
  })
}

function typeOf(change: string) {
  if (change === 'quality') return 'template.quality_changed'
  if (change === 'category') return 'template.category_changed'
  return statuses.has(change) || change in submissions ? 'template.status_changed' : undefined
}

function present({ quality, ...row }: Row, { payload }: QueuedOf<'template.changed'>) {
  const { words } = payload.details
  return {
    ...row,
    status: statusOf(row, payload.change),
    ...(quality !== null && { quality }),
    detail: typeof words === 'string' ? words : payload.change,
  }
}

/** The status that the entry names, in the spelling of the template's status. */
function statusOf({ status }: Pick<Row, 'status'>, change: string): string {
  const named = submissions[change] ?? change
  if (!statuses.has(named)) return status
  return status === status.toUpperCase() ? named.toUpperCase() : named
}
