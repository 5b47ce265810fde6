import { sql, type RawBuilder } from 'kysely'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Place } from '../../../lib/smpp/parts.ts'
import { findKeyUser, type ApiKeys } from '../../api-keys/index.ts'
import type { FailureReason } from '../receipts/outcome.ts'
import { queueReceipts, type ReportedPart } from '../receipts/queue-receipts.ts'
import type { CredentialKey } from '../secrets.ts'
import { sendScope } from '../write-credential.ts'
import type { AcceptSubmit, WholeMessage } from './accept-submits.ts'
import type { Submit, SubmittedMessage } from './read-submit.ts'

/** How long a long message waits for its missing parts, from its first one. */
const patienceSeconds = 60
/** A complete message that was not accepted after this time belongs to a process that died. */
const abandonedSeconds = 5
/** Incomplete messages of a credential. */
const mostIncomplete = 1000

type StoredPart = { text: string; registered: number }
type Row = {
  organization_id: string
  credential_id: string
  id: string
  total: number
  parts: Record<string, StoredPart>
  message: SubmittedMessage
  created_at: Date
}

export type LongPart = { credential: CredentialKey; submit: Submit & { place: Place } }

export type StoredLong = {
  /** The id of this part. */
  id: string
  /** The message, if this was its last missing part. */
  whole?: WholeMessage
}

/** Stores a part, which may have come by another session. Throws if its number is taken by another text. */
export async function storePart(database: Database, { credential, submit }: LongPart): Promise<StoredLong> {
  const { place, octets, registered } = submit
  const key = keyOf(submit)
  const part: StoredPart = { text: octets.toString('base64'), registered }
  const row = await asSystem(database, (db) => upsert(db, { credential, key, part, submit }))
  if (row) {
    const isWhole = Object.keys(row.parts).length === row.total
    return { id: partId(row.id, place.number), ...(isWhole && { whole: joinParts(row) }) }
  }
  return { id: await findRepeated(database, { credential, key, part, number: place.number }) }
}

function keyOf({ message, place }: LongPart['submit']): string {
  const { source, destination, dataCoding } = message
  return [source.text, destination.text, dataCoding, place.reference, place.total].join('|')
}

type Upsert = LongPart & { key: string; part: StoredPart }

/** Undefined if the message has this part already. */
async function upsert(db: Db, { credential, key, part, submit: { message, place } }: Upsert): Promise<Row | undefined> {
  const { organizationId, id: credentialId } = credential
  const { rows } = await sql<Row>`
    insert into smpp_long_messages as known (organization_id, credential_id, key, id, total, parts, message)
    select ${organizationId}::uuid, ${credentialId}::uuid, ${key}, ${newId()}::uuid, ${place.total},
      ${JSON.stringify({ [place.number]: part })}::jsonb, ${JSON.stringify(message)}::jsonb
    where (select count(*) from (select from smpp_long_messages waiting where waiting.organization_id = ${organizationId}::uuid
      and waiting.credential_id = ${credentialId}::uuid limit ${sql.lit(mostIncomplete)}) counted) < ${sql.lit(mostIncomplete)}
      or exists (select from smpp_long_messages waiting where waiting.organization_id = ${organizationId}::uuid
        and waiting.credential_id = ${credentialId}::uuid and waiting.key = ${key})
    on conflict (organization_id, credential_id, key) do update set parts = known.parts || excluded.parts, changed_at = now()
    where not known.parts ? ${String(place.number)}
    returning *`.execute(db)
  return rows[0]
}

type Repeated = { credential: CredentialKey; key: string; part: StoredPart; number: number }

/** The id that the same part got before. */
async function findRepeated(database: Database, { credential, key, part, number }: Repeated): Promise<string> {
  const { rows } = await asSystem(database, (db) =>
    sql<Row>`select * from smpp_long_messages
      where organization_id = ${credential.organizationId}::uuid and credential_id = ${credential.id}::uuid and key = ${key}`.execute(
      db,
    ),
  )
  const [row] = rows
  if (row?.parts[number]?.text !== part.text)
    throw new Problem('too_many_requests', 'Another message with this reference waits for its parts')
  return partId(row.id, number)
}

/** The first part has the id of the message. */
function partId(id: string, number: number): string {
  return number === 1 ? id : `${id}-${number}`
}

function joinParts(row: Row): WholeMessage {
  return {
    id: row.id,
    credential: { organizationId: row.organization_id, id: row.credential_id },
    message: row.message,
    octets: Buffer.concat(numbersOf(row).map((number) => Buffer.from(row.parts[number]?.text ?? '', 'base64'))),
    parts: reportedParts(row),
    submittedAt: row.created_at,
  }
}

function numbersOf({ parts }: Row): number[] {
  return Object.keys(parts)
    .map(Number)
    .toSorted((one, other) => one - other)
}

function reportedParts(row: Row): ReportedPart[] {
  return numbersOf(row).map((number) => ({
    id: partId(row.id, number),
    registered: row.parts[number]?.registered ?? 0,
  }))
}

/** Forgets a part, as if it had not come. */
export async function dropPart(
  db: Db,
  { credential, id }: Pick<WholeMessage, 'credential' | 'id'>,
  number: number,
): Promise<void> {
  await sql`update smpp_long_messages set parts = parts - ${String(number)}::text, changed_at = now()
    where organization_id = ${credential.organizationId}::uuid and id = ${id}::uuid`.execute(db)
}

/**
 * Deletes a message that cannot be sent, and queues the receipts of its parts that were acknowledged: all but `refused`, which the
 * response refuses.
 */
export async function failLong(
  db: Db,
  { credential, id }: Pick<WholeMessage, 'credential' | 'id'>,
  { reason, refused }: { reason: FailureReason; refused?: string },
): Promise<void> {
  const { organizationId } = credential
  const { rows } = await sql<Row>`
    delete from smpp_long_messages where organization_id = ${organizationId}::uuid and id = ${id}::uuid returning *`.execute(
    db,
  )
  await queueFailures(db, rows, { reason, refused })
}

async function queueFailures(
  db: Db,
  rows: readonly Row[],
  { reason, refused }: { reason: FailureReason; refused?: string | undefined },
): Promise<void> {
  const doneAt = new Date()
  await queueReceipts(
    db,
    rows.map((row) => ({
      credential: { organizationId: row.organization_id, id: row.credential_id },
      parts: reportedParts(row).filter(({ id }) => id !== refused),
      source: row.message.source,
      destination: row.message.destination,
      submittedAt: row.created_at,
      doneAt,
      outcome: { kind: 'failed', reason },
    })),
  )
}

export type LongDeps = { database: Database; apiKeys: ApiKeys; accept: AcceptSubmit }

const atOnce = 100

/** Gives up messages whose parts did not come, and accepts those of processes that died before they did. */
export async function sweepLongMessages({ database, apiKeys, accept }: LongDeps): Promise<void> {
  await asSystem(database, (db) => giveUp(db))
  const complete = await asSystem(database, (db) => findAbandoned(db))
  for (const { publicId, ...whole } of complete) {
    const actor = await findKeyUser(apiKeys, publicId, { scope: sendScope })
    const problem = typeof actor === 'string' ? actor : await problemOf(accept(actor, whole))
    if (problem) await asSystem(database, (db) => failLong(db, whole, { reason: 'bad_request' }))
  }
}

const transient: ReadonlySet<Problem['code']> = new Set(['unavailable', 'too_many_requests', 'disk_full'])

/** Errors other than refusals for good are thrown, and the message is tried again. */
async function problemOf(accepting: Promise<void>): Promise<Problem | undefined> {
  try {
    await accepting
    return undefined
  } catch (error) {
    if (error instanceof Problem && !transient.has(error.code)) return error
    throw error
  }
}

const count = sql<number>`(select count(*) from jsonb_object_keys(parts))`

async function findAbandoned(db: Db): Promise<(WholeMessage & { publicId: string })[]> {
  const { rows } = await sql<Row & { public_id: string }>`
    select long.*, key.public_id from smpp_long_messages long
    join smpp_credentials credential on credential.organization_id = long.organization_id and credential.id = long.credential_id
    join api_keys key on key.organization_id = credential.organization_id and key.id = credential.api_key_id
    where changed_at < now() - ${sql.lit(abandonedSeconds)} * interval '1 second' and ${count} = total
    order by changed_at limit ${sql.lit(atOnce)}`.execute(db)
  return rows.map((row) => ({ ...joinParts(row), publicId: row.public_id }))
}

const tooOld: RawBuilder<boolean> = sql`created_at < now() - ${sql.lit(patienceSeconds)} * interval '1 second'`

async function giveUp(db: Db): Promise<void> {
  const { rows } = await sql<Row>`
    delete from smpp_long_messages where (organization_id, id) in (
      select organization_id, id from smpp_long_messages where ${tooOld} and ${count} < total
      order by created_at limit ${sql.lit(atOnce)} for update skip locked)
    returning *`.execute(db)
  await queueFailures(db, rows, { reason: 'parts_missing' })
}
