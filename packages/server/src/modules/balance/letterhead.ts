import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export type PaperDeps = { /** A kept file's bytes. */ openFile(storageKey: string): Readable }

/** What a paper is headed with: the brand of whoever serves the account. */
export type Letterhead = { name: string; color: string; supportEmail: string; logo: Buffer | undefined }

type Row = { name: string; color: string; supportEmail: string; logoKey: string | null; logoType: string | null }

/** Pictures that a PDF can hold. */
const printableTypes = ['image/png', 'image/jpeg']

/** Of the nearest account above that has a brand; undefined where nobody has one. */
export async function findLetterhead(
  db: Db,
  { openFile }: PaperDeps,
  organizationId: string,
): Promise<Letterhead | undefined> {
  const { rows } = await sql<Row>`
    select brand ->> 'name' as name, brand ->> 'color' as color, coalesce(brand ->> 'supportEmail', '') as "supportEmail",
      logo_key as "logoKey", logo_type as "logoType"
    from accounts, brand_above(accounts.path) where accounts.id = ${organizationId}::uuid`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { logoKey, logoType, ...head } = row
  const isPrintable = logoKey !== null && logoType !== null && printableTypes.includes(logoType)
  // A paper without its picture is better than none.
  return { ...head, logo: isPrintable ? await buffer(openFile(logoKey)).catch(() => undefined) : undefined }
}
