import type { Role } from '@carillon/contract/roles'
import { asSystem, type Database } from '../db/pool.ts'
import { issue } from '../modules/balance/index.ts'
import { buildAgent } from '../modules/conversations/test-agents.ts'
import { buildFixtures, type Fixtures } from './fixtures.ts'
import { buildAdmin, buildDepartmentHead, buildManager, buildReseller, buildUser, type Account } from './builders.ts'

type Caller = { as: Account; has: Fixtures & { otherAccount?: string } }

/** An account of the role with everything needed for any call, and with two accounts below it if the role allows it. */
export async function buildCaller(
  database: Database,
  { role, passwordHash }: { role: Role; passwordHash: string },
): Promise<Caller> {
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  const user = await buildUser(database, { parent: manager })
  const head = await buildDepartmentHead(database, { parent: manager })
  const below = {
    admin: [reseller, await buildReseller(database, { parent: admin })],
    reseller: [manager, await buildManager(database, { parent: reseller })],
    manager: [user, head],
    user: [],
    department_head: [],
  }[role]
  const as = { admin, reseller, manager, user, department_head: head }[role]
  await database.ownerPool.query('update accounts set password_hash = $1 where id = $2', [passwordHash, as.id])
  for (const { id: accountId, organizationId } of [reseller, manager])
    await asSystem(database, (db) =>
      issue(db, {
        issuer: { organizationId: admin.organizationId, accountId: admin.id },
        organizationId,
        accountId,
        amount: 1_000_000,
        opKey: accountId,
        reference: 'test',
      }),
    )
  const has = await buildFixtures(database, as)
  for (const account of below) await buildAgent(database, account, { availability: 'offline' })
  if (role === 'admin' || role === 'reseller') has.organization = manager.organizationId
  return { as, has: { ...has, ...(below[0] && below[1] ? { account: below[0].id, otherAccount: below[1].id } : {}) } }
}
