import type { Audience, CorrectedRow, RejectReason } from '@carillon/contract/audience'
import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'
import type { Audiences } from '../../db/schema.ts'
import { recordEvents } from '../../events/record-events.ts'
import { storableJson } from '../../lib/storable.ts'
import type { CountryRange } from './country-blocks.ts'
import type { Corrections } from './reading/check-rows.ts'

export type AudienceRow = Selectable<Audiences>

/** One validation run of an audience: a new mapping increments `reading`, which invalidates older runs. */
export const ReadingKey = z.object({ organizationId: z.string(), audienceId: z.string(), reading: z.number() })
export type ReadingKey = z.infer<typeof ReadingKey>

export type Counts = {
  processed: number
  percent: number
  total: number
  accepted: number
  invalid: number
  duplicate: number
  suppressed: number
  fixable: number
  auto_corrected: number
}

export type SampleError = { row: number; value: string; code: RejectReason; message: string; suggestion?: string }

/** Corrections of rejected rows; numbers are stored with country code, such as +919876543210. */
export const StoredCorrections = z.object({
  automatic: z.boolean(),
  rows: z.array(z.object({ row: z.number(), phoneNumber: z.string() })),
})
export type StoredCorrections = z.infer<typeof StoredCorrections>

export const noCorrections: StoredCorrections = { automatic: false, rows: [] }

export function correctionsOf(audience: Pick<AudienceRow, 'corrections'>): Corrections {
  const { automatic, rows } = StoredCorrections.parse(audience.corrections)
  return { automatic, typed: new Map(rows.map(({ row, phoneNumber }) => [row, phoneNumber])) }
}

type Wanted = { id: string; scope: Scope }

export async function findAudience(db: Db, wanted: Wanted): Promise<AudienceRow | undefined> {
  return selectAudience(db, wanted).executeTakeFirst()
}

/** Reads and locks the row until the transaction ends. */
export async function lockAudience(db: Db, wanted: Wanted): Promise<AudienceRow | undefined> {
  return selectAudience(db, wanted).forUpdate().executeTakeFirst()
}

function selectAudience(db: Db, { id, scope }: Wanted) {
  return db
    .selectFrom('audiences')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where(within(scope))
}

/** Without a scope, for internal work on a campaign that was already checked. */
export async function getAudience(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<AudienceRow> {
  return db
    .selectFrom('audiences')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** An accepted recipient with the cells of the row; undefined beyond the last. */
export async function findRecipient(
  db: Db,
  { audience, seq }: { audience: Pick<AudienceRow, 'organization_id' | 'id'>; seq: number },
): Promise<{ phone: number; variables: string[] } | undefined> {
  return db
    .selectFrom('recipients')
    .select(['phone', 'variables'])
    .where('organization_id', '=', audience.organization_id)
    .where('audience_id', '=', audience.id)
    .where('seq', '=', seq)
    .executeTakeFirst()
}

export type ReadingChange = {
  phone_column?: number | null
  sheet?: string | null
  default_country?: string
  corrections: StoredCorrections
}

export async function beginReading(
  db: Db,
  { organizationId, id, change }: { organizationId: string; id: string; change: ReadingChange },
): Promise<AudienceRow> {
  const audience = await db
    .updateTable('audiences')
    .set({
      reading: sql`reading + 1`,
      status: 'reading',
      ...change,
      corrections: JSON.stringify(change.corrections),
      ...emptyCounts,
      sample_errors: '[]',
      corrected_rows: '[]',
      countries: '[]',
      empty_cells: null,
      error: null,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await announce(db, audience)
  return audience
}

function announce(db: Db, { organization_id: organizationId, id }: AudienceRow): Promise<void> {
  return recordEvents(db, [{ type: 'audience.changed', organizationId, subjectIds: [id], payload: {} }])
}

export const emptyCounts: Counts = {
  processed: 0,
  percent: 0,
  total: 0,
  accepted: 0,
  invalid: 0,
  duplicate: 0,
  suppressed: 0,
  fixable: 0,
  auto_corrected: 0,
}

export type ReadingUpdate = Partial<Counts> & {
  status?: Audience['status']
  format?: Audience['format']
  columns?: string[]
  sheets?: string[]
  sheet?: string | null
  hidden_rows?: number
  sample?: string[][]
  phone_column?: number | null
  sample_errors?: SampleError[]
  corrected_rows?: CorrectedRow[]
  countries?: CountryRange[]
  rejects_file_id?: string | null
  empty_cells?: number[]
  error?: string | null
}

/** Updates the row while this run is current and unfinished; returns undefined otherwise. */
export async function updateReading(
  db: Db,
  { organizationId, audienceId, reading }: ReadingKey,
  given: ReadingUpdate,
): Promise<AudienceRow | undefined> {
  // Cells and sheet names can contain characters PostgreSQL rejects.
  const { sample, sample_errors, corrected_rows, countries, ...update } = storableJson(given)
  const audience = await db
    .updateTable('audiences')
    .set({
      ...update,
      ...(sample ? { sample: JSON.stringify(sample) } : {}),
      ...(sample_errors ? { sample_errors: JSON.stringify(sample_errors) } : {}),
      ...(corrected_rows ? { corrected_rows: JSON.stringify(corrected_rows) } : {}),
      ...(countries ? { countries: JSON.stringify(countries) } : {}),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', audienceId)
    .where('reading', '=', reading)
    .where('status', 'in', ['reading', 'checking'])
    .returningAll()
    .executeTakeFirst()
  if (audience) await announce(db, audience)
  return audience
}

export async function listUnfinished(db: Db): Promise<ReadingKey[]> {
  const rows = await db
    .selectFrom('audiences')
    .select(['organization_id', 'id', 'reading'])
    .where('status', 'in', ['reading', 'checking'])
    .execute()
  return rows.map((row) => ({ organizationId: row.organization_id, audienceId: row.id, reading: row.reading }))
}

/** Whether a campaign past its draft uses these recipients, which must not change then. */
export async function isUsed(db: Db, { organizationId, id }: { organizationId: string; id: string }): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select audience_in_use(${organizationId}::uuid, ${id}::uuid) as used`.execute(db)
  return rows[0]?.used ?? false
}
