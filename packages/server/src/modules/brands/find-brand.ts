import { Brand, type PublicBrand } from '@carillon/contract/brands'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { Brands } from '../../db/schema.ts'

export type BrandRow = Selectable<Brands>
export type Look = Omit<Brand, 'hosts'>

/** Stored fields; host names are in a table of their own, where each is unique. */
export const StoredBrand = Brand.omit({ hosts: true })

/** Default brand. */
export const ownLook: Look = {
  name: 'Carillon',
  color: '#06707e',
  colorDark: '#4fc4d1',
  supportEmail: '',
  supportUrl: '',
  privacyUrl: '',
  certification: '',
  mailSenderName: '',
  mailReplyTo: '',
}

/** The brand of an account: its own, or the nearest above. */
export async function findBrandAbove(db: Db, path: string): Promise<BrandRow | undefined> {
  const { rows } = await sql<BrandRow>`select * from brand_above(${path}::ltree)`.execute(db)
  return rows[0]
}

/** The brand of a host name, else the installation's. Needs no session. */
export async function findBrandOfHost(db: Db, host: string): Promise<BrandRow | undefined> {
  const named = await db
    .selectFrom('brand_hosts')
    .innerJoin('brands', 'brands.organization_id', 'brand_hosts.organization_id')
    .where('host', '=', host)
    .where('is_for_links', '=', false)
    .selectAll('brands')
    .executeTakeFirst()
  if (named) return named
  return db
    .selectFrom('accounts')
    .innerJoin('brands', 'brands.organization_id', 'accounts.id')
    .where('role', '=', 'admin')
    .where('parent_id', 'is', null)
    .orderBy('accounts.created_at')
    .selectAll('brands')
    .limit(1)
    .executeTakeFirst()
}

/** Letterhead of an organisation's documents and mails: its own brand or its provider's. */
export async function brandOf(db: Db, organizationId: string): Promise<Look & { logoKey: string | undefined }> {
  const account = await db.selectFrom('accounts').select('path').where('id', '=', organizationId).executeTakeFirst()
  const row = account && (await findBrandAbove(db, account.path))
  return { ...statusStyleOf(row), logoKey: row?.logo_key ?? undefined }
}

export function statusStyleOf(row: BrandRow | undefined): Look {
  return row ? StoredBrand.parse(row.brand) : ownLook
}

export function logoOf(row: BrandRow | undefined): { logo?: string } {
  return row?.logo_id ? { logo: `/api/v1/brand/logo/${row.logo_id}` } : {}
}

export function presentBrand(row: BrandRow | undefined, allowsRegistration: boolean): PublicBrand {
  const { mailSenderName: _, mailReplyTo: __, ...shown } = statusStyleOf(row)
  return { ...shown, ...logoOf(row), isOwn: row === undefined, allowsRegistration }
}
