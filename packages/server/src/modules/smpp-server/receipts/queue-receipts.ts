import { sql } from 'kysely'
import { notifyAfterCommit, type Db } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import type { CredentialKey } from '../secrets.ts'
import { composeReceipt, type Receipt } from './compose-receipt.ts'
import { isWanted } from './outcome.ts'

/** Notified after receipts were queued. */
export const receiptChannel = 'carillon_smpp_receipts'

/** How long a receipt waits for a receiver. */
const keptFor = '3 days'

/** A part of a submitted message, and the receipt that it asked for. */
export type ReportedPart = { id: string; registered: number }

export type NewReceipts = Omit<Receipt, 'id'> & { credential: CredentialKey; parts: readonly ReportedPart[] }

/** Queues the receipts that the parts of messages asked for, each for the time when it is done. */
export async function queueReceipts(db: Db, messages: readonly NewReceipts[]): Promise<void> {
  const rows = messages.flatMap(({ credential, parts, ...receipt }) =>
    parts
      .filter(({ registered }) => isWanted(registered, receipt.outcome))
      .map(({ id }) => ({ credential, body: composeReceipt({ ...receipt, id }), dueAt: receipt.doneAt })),
  )
  if (rows.length === 0) return
  await sql`
    insert into smpp_receipts (organization_id, credential_id, id, body, due_at, expires_at)
    select organization_id, credential.id, receipt.id, decode(body, 'base64'), due_at,
      greatest(due_at, now()) + ${sql.lit(keptFor)}::interval
    from unnest(${rows.map(({ credential }) => credential.organizationId)}::uuid[], ${rows.map(({ credential }) => credential.id)}::uuid[],
      ${rows.map(() => newId())}::uuid[], ${rows.map(({ body }) => body.toString('base64'))}::text[],
      ${rows.map(({ dueAt }) => dueAt.toISOString())}::timestamptz[]) as receipt (organization_id, credential_id, id, body, due_at)
    join smpp_credentials credential using (organization_id)
    where credential.id = receipt.credential_id and credential.deactivated_at is null`.execute(db)
  notifyAfterCommit(db, receiptChannel)
}
