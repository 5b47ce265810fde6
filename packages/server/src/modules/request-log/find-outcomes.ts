import type { MessageStatus } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import { daysOfIds, onDays } from '../../db/partition-days.ts'
import type { Db } from '../../db/pool.ts'
import { findTestStatuses } from '../sandbox/index.ts'
import { countedAs, judgeMessage, type Outcome } from './request-status.ts'

/** What is needed of a request to follow its messages. */
export type Followed = { id: string; organization_id: string; environment: string; message_ids: string[] }

type Status = { id: string; status: MessageStatus | 'scheduled' }
type Sought = { organizationId: string; ids: readonly string[] }

/** What became of the messages of each request, by its id. */
export async function findOutcomes(
  db: Db,
  requests: readonly Followed[],
  now: Date,
): Promise<ReadonlyMap<string, Outcome>> {
  const statuses: Status[] = []
  for (const [organizationId, own] of Map.groupBy(requests, (request) => request.organization_id)) {
    const { live = [], test = [] } = Object.groupBy(own, ({ environment }) =>
      environment === 'test' ? 'test' : 'live',
    )
    statuses.push(
      ...(await findLiveStatuses(db, { organizationId, ids: idsOf(live) })),
      ...(await findTestStatuses(db, { organizationId, ids: idsOf(test), now })),
    )
  }
  const byId = Map.groupBy(statuses, ({ id }) => id)
  return new Map(
    requests.map((request) => {
      const outcome = { waiting: 0, underway: 0, delivered: 0, failed: 0, ended: 0 }
      for (const id of request.message_ids)
        outcome[judgeMessage((byId.get(id) ?? []).map(({ status }) => countedAs[status]))] += 1
      return [request.id, outcome]
    }),
  )
}

const idsOf = (requests: readonly Followed[]) => requests.flatMap(({ message_ids }) => message_ids)

/** The statuses of messages, and of their legs under the same id. Messages that were not handed over yet are missing. */
async function findLiveStatuses(db: Db, { organizationId, ids }: Sought): Promise<Status[]> {
  if (ids.length === 0) return []
  const firsts = await findHandedOver(db, { organizationId, ids })
  // A leg without an id is still to be sent.
  const { rows: legs } = await sql<{ id: string; sent_as: string | null }>`
    select message_id as id, sent_as from single_legs
    where organization_id = ${organizationId}::uuid and message_id = any(${ids}::uuid[]) and sent_as is not null
    union all
    select message_id, null from single_failovers where organization_id = ${organizationId}::uuid and message_id = any(${ids}::uuid[])`.execute(
    db,
  )
  const sent = legs.flatMap(({ sent_as }) => sent_as ?? [])
  const statusOf = new Map(
    (await findHandedOver(db, { organizationId, ids: sent })).map(({ id, status }) => [id, status]),
  )
  return [
    ...firsts,
    ...legs.map(({ id, sent_as }): Status => ({ id, status: (sent_as && statusOf.get(sent_as)) || 'queued' })),
  ]
}

async function findHandedOver(db: Db, { organizationId, ids }: Sought): Promise<Status[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Status>`
    select campaign_id as id, status from messages
    where organization_id = ${organizationId}::uuid and campaign_id = any(${ids}::uuid[]) and seq = 0 and leg = 0
      and ${onDays('created_on', daysOfIds(ids))}`.execute(db)
  return rows
}
