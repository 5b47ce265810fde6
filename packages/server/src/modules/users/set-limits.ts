import type { AccountLimit } from '@carillon/contract/users'
import type { LimitKey } from '@carillon/contract/limits'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { badField } from '../../lib/problem.ts'
import { listLimits, lockBelow, type AccountRow } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'

export type WantedLimit = { key: LimitKey; limit: number | null }

/** Sets limits of an account below, within the limits above. Null removes its own limit, so that those above apply. */
export async function setLimits(
  db: Db,
  { actor, accountId, wanted }: { actor: UserActor; accountId: string; wanted: readonly WantedLimit[] },
): Promise<AccountLimit[]> {
  const account = await lockBelow(db, { actor, id: accountId })
  const before = await listLimits(db, accountId)
  wanted.forEach(({ key, limit }, index) => {
    const maximum = before.find((entry) => entry.key === key)?.maximum ?? null
    if (limit !== null && maximum !== null && limit > maximum)
      throw badField(
        `limits.${index}.limit`,
        `At most ${new Intl.NumberFormat('en-IN').format(maximum)}: that is the limit above`,
      )
  })
  for (const limit of wanted) await writeLimit(db, { actor, account, ...limit })
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: 'limits.changed',
    object: { type: 'account', id: account.id },
    details: Object.fromEntries(wanted.map(({ key, limit }) => [key, limit])),
  })
  return listLimits(db, accountId)
}

type Write = WantedLimit & { actor: UserActor; account: AccountRow }

async function writeLimit(db: Db, { actor, account, key, limit }: Write) {
  const { organization_id, id: account_id } = account
  if (limit === null) {
    await db
      .deleteFrom('account_limits')
      .where('organization_id', '=', organization_id)
      .where('account_id', '=', account_id)
      .where('key', '=', key)
      .execute()
    return
  }
  const set = { value: limit, set_by: actor.accountId, set_at: new Date() }
  await db
    .insertInto('account_limits')
    .values({ organization_id, account_id, key, ...set })
    .onConflict((conflict) => conflict.columns(['organization_id', 'account_id', 'key']).doUpdateSet(set))
    .execute()
}
