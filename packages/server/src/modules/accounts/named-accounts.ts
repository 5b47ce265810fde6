import { messages } from '@carillon/contract/errors'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'
import { badField, notFound } from '../../lib/problem.ts'

export type NamedAccount = { id: string; path: string }

const mostUserIds = 500

/** The accounts in `userIds`; undefined if none are given. An account out of scope fails the whole call as not found. */
export async function findNamedAccounts(
  db: Db,
  { scope, userIds }: { scope: Scope; userIds: string | undefined },
): Promise<NamedAccount[] | undefined> {
  const ids = readIds(userIds)
  if (ids === undefined) return undefined
  const named = await db
    .selectFrom('accounts')
    .select(['id', 'path'])
    .where('id', 'in', ids)
    .where(within(scope))
    .execute()
  if (named.length < ids.length) throw notFound('User')
  return named
}

/** Comma-separated ids, with optional spaces. */
function readIds(userIds: string | undefined): string[] | undefined {
  const texts = (userIds ?? '').split(',').map((id) => id.trim().toLowerCase())
  const ids = [...new Set(texts.filter(Boolean))]
  if (ids.length === 0) return undefined
  if (ids.length > mostUserIds) throw badField('userIds', `At most ${mostUserIds} users can be requested at once`)
  if (!ids.every((id) => z.uuid().safeParse(id).success)) throw badField('userIds', messages.userIdsNoArray)
  return ids
}
