import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { storableJson } from '../../../lib/storable.ts'
import type { SingleLeg, SingleSend } from './single-send.ts'

type Accepted = { messageId: string; send: SingleSend; endsAt: Date }

/** Stores the further messages of accepted single sends, in the transaction that accepts them. */
export async function storeLegs(db: Db, organizationId: string, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return
  const rows = accepted.map(({ messageId, send, endsAt }) => ({
    message_id: messageId,
    account_id: send.accountId,
    entered_at: (send.sendAt ?? new Date()).toISOString(),
    legs: (send.legs ?? []).map(toStored),
    ends_at: endsAt.toISOString(),
  }))
  await sql`
    insert into single_failovers (organization_id, message_id, account_id, current_id, entered_at, legs, check_at, ends_at)
    select ${organizationId}::uuid, message_id, account_id, message_id, entered_at, legs, entered_at + interval '1 second', ends_at
    from jsonb_to_recordset(${JSON.stringify(storableJson(rows))}::jsonb)
      as row (message_id uuid, account_id uuid, entered_at timestamptz, legs jsonb, ends_at timestamptz)`.execute(db)
}

/** No further messages of these single sends are sent. Returns how many had any. */
export async function endLegs(
  db: Db,
  { organizationId, messageIds }: { organizationId: string; messageIds: readonly string[] },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from single_failovers where organization_id = ${organizationId}::uuid and message_id = any(${[...messageIds]}::uuid[])`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** When it is sent and expires follows from the message before. */
export type StoredLeg = { send: Omit<SingleSend, 'expiresAt' | 'sendAt' | 'legs'>; entrance: SingleLeg['entrance'] }

function toStored({ send, entrance }: SingleLeg): StoredLeg {
  const { expiresAt: _, sendAt: __, legs: ___, ...stored } = send
  return { send: stored, entrance }
}
