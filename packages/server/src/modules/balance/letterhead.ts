import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export type PaperDeps = { /** Opens a stored file. */ openFile(storageKey: string): Readable }

/** Letterhead of a document: the brand of the account's provider. */
export type Letterhead = { name: string; color: string; supportEmail: string; logo: Buffer | undefined }

type Row = { name: string; color: string; supportEmail: string; logoKey: string | null; logoType: string | null }

/** Image types supported in PDFs. */
const printableTypes = ['image/png', 'image/jpeg']

/** The brand of the nearest account above; undefined if there is none. */
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
  // A document without its logo is better than none.
  return { ...head, logo: isPrintable ? await buffer(openFile(logoKey)).catch(() => undefined) : undefined }
}
