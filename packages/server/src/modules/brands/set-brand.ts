import { truncate } from '@carillon/contract/text'
import type { Brand } from '@carillon/contract/brands'
import { brandContrast, leastContrast } from '@carillon/contract/contrast'
import type { ProblemDetail } from '@carillon/contract/errors'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { Problem } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { StoredBrand, logoOf, statusStyleOf, ownLook, type BrandRow } from './find-brand.ts'
import { singleLine } from '../../lib/text.ts'

export type OwnBrand = Brand & { logo?: string; isSet: boolean }

export async function getOwnBrand(db: Db, actor: UserActor): Promise<OwnBrand> {
  const row = await findOwn(db, actor)
  if (!row) return { ...ownLook, name: await nameOf(db, actor), hosts: [], isSet: false }
  const hosts = await db
    .selectFrom('brand_hosts')
    .select('host')
    .where('organization_id', '=', actor.organizationId)
    .where('is_for_links', '=', false)
    .orderBy('host')
    .execute()
  return { ...statusStyleOf(row), ...logoOf(row), hosts: hosts.map(({ host }) => host), isSet: true }
}

/** `reservedHost`: the installation's own host name, which only an admin may brand. */
export async function setOwnBrand(
  db: Db,
  { actor, brand, reservedHost }: { actor: UserActor; brand: Brand; reservedHost: string | undefined },
): Promise<OwnBrand> {
  assertReadable(brand)
  const hosts = [...new Set(brand.hosts)]
  if (actor.role !== 'admin' && reservedHost && hosts.includes(reservedHost)) throw takenHosts([reservedHost])
  await writeBrand(db, actor, JSON.stringify(StoredBrand.parse(brand)))
  await setHosts(db, actor, hosts)
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'brand.changed',
    object: { type: 'brand', id: actor.organizationId },
    details: { name: brand.name, hosts: hosts.join(' ') },
  })
  return getOwnBrand(db, actor)
}

/** Creates an empty brand for a logo if needed. */
export async function ensureBrand(db: Db, actor: UserActor): Promise<void> {
  if (await findOwn(db, actor)) return
  await writeBrand(db, actor, JSON.stringify({ ...ownLook, name: await nameOf(db, actor) }))
}

function assertReadable({ color, colorDark }: Brand): void {
  const checks = [
    { field: 'color', theme: 'light' as const, contrast: brandContrast(color, 'light') },
    { field: 'colorDark', theme: 'dark' as const, contrast: brandContrast(colorDark, 'dark') },
  ]
  const details: ProblemDetail[] = checks
    .filter(({ contrast }) => contrast < leastContrast)
    .map(({ field, theme, contrast }) => ({
      field,
      message: `This colour has too little contrast in the ${theme} theme: ${floor(contrast)}, at least ${leastContrast} is needed`,
    }))
  const [first] = details
  if (first) throw new Problem('bad_request', first.message, { details })
}

/** Rounded down: 4.46 must not be displayed as 4.5. */
function floor(contrast: number): string {
  return (Math.floor(contrast * 10) / 10).toFixed(1)
}

async function writeBrand(db: Db, { organizationId }: UserActor, brand: string): Promise<void> {
  await db
    .insertInto('brands')
    .values({ organization_id: organizationId, brand })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ brand, updated_at: new Date() }))
    .execute()
}

/** Host names of other organisations are not visible here, but conflict. */
async function setHosts(db: Db, { organizationId }: UserActor, hosts: string[]): Promise<void> {
  await db
    .deleteFrom('brand_hosts')
    .where('organization_id', '=', organizationId)
    .where('is_for_links', '=', false)
    .execute()
  if (hosts.length === 0) return
  const added = await db
    .insertInto('brand_hosts')
    .values(hosts.map((host) => ({ organization_id: organizationId, host })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('host')
    .execute()
  const taken = hosts.filter((host) => !added.some((one) => one.host === host))
  if (taken.length > 0) throw takenHosts(taken)
}

export function takenHosts(hosts: string[], field = 'hosts'): Problem {
  const message = `${hosts.join(', ')} is already in use`
  return new Problem('conflict', message, { details: [{ field, message }] })
}

async function findOwn(db: Db, { organizationId }: UserActor): Promise<BrandRow | undefined> {
  return db.selectFrom('brands').selectAll().where('organization_id', '=', organizationId).executeTakeFirst()
}

async function nameOf(db: Db, { accountId }: UserActor): Promise<string> {
  const { name } = await db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirstOrThrow()
  return truncate(singleLine(name), 60) || ownLook.name
}
