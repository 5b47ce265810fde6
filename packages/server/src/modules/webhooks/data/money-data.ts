import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { toRupees } from '../../balance/index.ts'
import { subjectOf, type Describe, type Occurrence } from './occurrence.ts'

const answered: readonly string[] = ['approved', 'rejected']

export const describeTopUps: Describe<'topup.changed'> = async (db, events) => {
  const paths = await readPaths(
    db,
    events.map(({ payload }) => payload.accountId),
  )
  return events.map((event): Occurrence[] => {
    const { accountId, status, amount, approved } = event.payload
    const path = paths.get(accountId)
    const isAnswered = answered.includes(status)
    if (path === undefined || (!isAnswered && status !== 'pending')) return []
    const approvedAmount = approved === null ? {} : { approvedAmount: toRupees(approved) }
    const data = { id: subjectOf(event), accountId, status, amount: toRupees(amount), ...approvedAmount }
    return [{ type: isAnswered ? 'topup.completed' : 'topup.requested', data, visibleTo: { path } }]
  })
}

export const describeLowBalances: Describe<'balance.low'> = async (db, events) => {
  const paths = await readPaths(db, events.map(subjectOf))
  return events.map((event): Occurrence[] => {
    const accountId = subjectOf(event)
    const path = paths.get(accountId)
    const data = { accountId, available: toRupees(event.payload.available) }
    return path === undefined ? [] : [{ type: 'balance.low', data, visibleTo: { path } }]
  })
}

async function readPaths(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; path: string }>`
    select id, path::text from accounts where id = any(${[...new Set(ids)]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, path }) => [id, path]))
}
