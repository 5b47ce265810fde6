import { sql } from 'kysely'
import { asSystem, type Database } from '../db/pool.ts'
import { buildFixtures, type Fixtures } from './fixtures.ts'
import { buildAdmin, buildDepartmentHead, buildManager, buildReseller, buildUser, type Account } from './builders.ts'

/** Each tenant's texts contain its own mark; a mark visible to another tenant is a leak. */
export const marks = { acme: 'Canaryacme', foreign: 'Canaryforeign', above: 'Canaryabove' }

export type CanaryFixtures = {
  /** One organisation and its reseller. */
  people: Record<'reseller' | 'manager' | 'head' | 'user', Account>
  acmeHas: Fixtures
  /** An organisation of another reseller. */
  foreign: Account
  foreignHas: Fixtures
  otherReseller: Account
}

export async function buildCanaryFixtures(database: Database): Promise<CanaryFixtures> {
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  const head = await buildDepartmentHead(database, { parent: manager })
  const user = await buildUser(database, { parent: head })
  const otherReseller = await buildReseller(database, { parent: admin })
  const foreign = await buildManager(database, { parent: otherReseller })
  const acmeHas = await buildFixtures(database, manager, { mark: marks.acme })
  const foreignHas = await buildFixtures(database, foreign, { mark: marks.foreign })
  await buildFixtures(database, otherReseller, { mark: marks.above })
  const names = [
    [manager, marks.acme],
    [otherReseller, marks.above],
    [foreign, marks.foreign],
  ] as const
  for (const [{ id }, mark] of names)
    await asSystem(database, (db) =>
      sql`update accounts set name = name || ' ' || ${mark} where id = ${id}::uuid`.execute(db),
    )
  return { people: { reseller, manager, head, user }, acmeHas, foreign, foreignHas, otherReseller }
}
