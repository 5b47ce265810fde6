import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AudienceChoice } from '@carillon/contract/audience'
import type { Channel } from '@carillon/contract/channels'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { UploadedFile } from '../../http/handlers.ts'
import { addJob, defineJob } from '../../jobs/jobs.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict, notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { saveUpload, type FileStore } from '../files/index.ts'
import {
  beginReading,
  isUsed,
  lockAudience,
  noCorrections,
  StoredCorrections,
  type AudienceRow,
  type ReadingChange,
  ReadingKey,
} from './audiences.queries.ts'

export const checkReading = defineJob('audience.check', ReadingKey)

export type AudienceDeps = {
  store: FileStore
  /** Directory of files being written. */
  temporaryDirectory: string
}

export type NewAudience = {
  actor: UserActor
  upload: UploadedFile | undefined
  numbers: string | undefined
  phoneColumn?: number | undefined
  defaultCountry: string
  channel: Channel
}

/** Stores the upload and adds the validation job in one transaction, so that an acknowledged upload is never lost. */
export async function createAudience(
  db: Db,
  deps: AudienceDeps,
  { upload, numbers, ...audience }: NewAudience,
): Promise<AudienceRow> {
  if (upload) return insertAudience(db, deps, { ...audience, isPasted: false, content: upload })
  const content = await writePasted(deps.temporaryDirectory, numbers)
  try {
    return await insertAudience(db, deps, { ...audience, isPasted: true, content })
  } finally {
    await rm(content.path, { force: true })
  }
}

type Content = Omit<NewAudience, 'upload' | 'numbers'> & {
  isPasted: boolean
  content: UploadedFile
}

async function insertAudience(
  db: Db,
  deps: AudienceDeps,
  { actor, isPasted, content, ...mapping }: Content,
): Promise<AudienceRow> {
  if (content.sizeBytes === 0) throw badField('file', 'The file is empty')
  const file = await saveUpload(db, deps.store, {
    organizationId: actor.organizationId,
    createdBy: actor.accountId,
    purpose: 'audience',
    mimeType: isPasted ? 'text/plain' : 'application/octet-stream',
    upload: content,
  })
  const audience = await db
    .insertInto('audiences')
    .values({
      organization_id: actor.organizationId,
      id: newId(),
      path: actor.scope.path,
      status: 'reading',
      file_id: file.id,
      file_name: content.fileName,
      format: isPasted ? 'pasted' : looksLikeWorkbook(content.fileName),
      phone_column: mapping.phoneColumn ?? null,
      default_country: mapping.defaultCountry,
      channel: mapping.channel,
      created_by: actor.accountId,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'audience.uploaded',
    object: { type: 'audience', id: audience.id },
    details: { fileName: content.fileName, sizeBytes: content.sizeBytes },
  })
  await enqueueReading(db, { organizationId: actor.organizationId, audienceId: audience.id, reading: audience.reading })
  return audience
}

/** Validates the file again with another column, sheet or country. */
export async function mapAudience(
  db: Db,
  { actor, id, mapping }: { actor: UserActor; id: string; mapping: AudienceChoice },
): Promise<AudienceRow> {
  const audience = await lockAudience(db, { id, scope: actor.scope })
  if (!audience) throw notFound('Audience')
  assertInFile(audience, mapping)
  // Drafts of other accounts may use it, so its recipients must not change.
  if (audience.saved_name !== null)
    throw conflict('This audience is saved: upload the file again to choose another column or country')

  return readAgain(db, audience, { change: changeOf(audience, mapping), purpose: 'to map it differently' })
}

function assertInFile({ sheets, columns }: AudienceRow, { phoneColumn = 0, sheet }: AudienceChoice): void {
  if (sheet !== undefined && !sheets.includes(sheet)) throw badField('sheet', 'The file has no such sheet')
  if (columns.length > 0 && phoneColumn >= columns.length)
    throw badField('phoneColumn', `The file has ${columns.length} columns`)
}

/** Corrections belong to the rows of one column of one sheet. */
function changeOf(audience: AudienceRow, mapping: AudienceChoice): ReadingChange {
  const phoneColumn = mapping.phoneColumn ?? null
  const sheet = mapping.sheet ?? null
  const isSameColumn = phoneColumn === audience.phone_column && sheet === audience.sheet
  return {
    phone_column: phoneColumn,
    sheet,
    default_country: mapping.defaultCountry,
    corrections: isSameColumn ? StoredCorrections.parse(audience.corrections) : noCorrections,
  }
}

/** Throws once a campaign has used the recipients. The row is locked by then, and a start locks it as well. */
export async function readAgain(
  db: Db,
  { organization_id: organizationId, id }: AudienceRow,
  { change, purpose }: { change: ReadingChange; purpose: string },
): Promise<AudienceRow> {
  // Campaigns of the whole organisation count, including those the caller cannot see.
  if (await isUsed(db, { organizationId, id }))
    throw conflict(`A campaign that is no longer a draft uses this audience: upload the file again ${purpose}`)
  const begun = await beginReading(db, { organizationId, id, change })
  await enqueueReading(db, { organizationId, audienceId: id, reading: begun.reading })
  return begun
}

export async function enqueueReading(db: Db, key: ReadingKey): Promise<void> {
  await addJob(db, checkReading, { payload: key, jobKey: `audience:${key.audienceId}` })
}

async function writePasted(directory: string, numbers: string | undefined): Promise<UploadedFile> {
  if (!numbers || numbers.trim() === '') throw badField('file', 'Choose a file or paste numbers')
  const content = Buffer.from(numbers)
  const path = join(directory, randomUUID())
  await mkdir(directory, { recursive: true })
  try {
    await writeFile(path, content, { mode: 0o600 })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return {
    fileName: 'Pasted numbers',
    mimeType: 'text/plain',
    path,
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest(),
  }
}

/** A guess by file name; the validation detects the real format. */
function looksLikeWorkbook(fileName: string): 'csv' | 'xlsx' {
  return /\.xlsx$/i.test(fileName) ? 'xlsx' : 'csv'
}
