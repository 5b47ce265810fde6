import { FailureClass, type MessageStatus } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Consumer, QueuedEvent } from '../../../events/event-queue.ts'
import type { Address } from '../../../lib/smpp/requests.ts'
import { describeStatuses, type QueuedOf } from '../../webhooks/index.ts'
import type { Outcome } from './outcome.ts'
import { queueReceipts, type NewReceipts, type ReportedPart } from './queue-receipts.ts'

type StatusEvent = QueuedOf<'message.status'>

/** After these a message does not change, except that a failed one may be delivered after all. */
const final: ReadonlySet<MessageStatus> = new Set(['delivered', 'read', 'failed', 'skipped', 'cancelled'])

/** Turns the first final status of a message into the receipts of its parts. */
export const consumeStatuses: Consumer = async (db, events) => {
  const ended = events.filter(isFinal)
  const messages = await takeMessages(db, ended)
  const ours = ended.filter(({ subjectIds: [id = ''] }) => messages.has(id))
  const outcomes = await readOutcomes(db, ours)
  const receipts = [...messages].flatMap(([id, message]): NewReceipts[] => {
    const ending = outcomes.get(id)
    return ending ? [{ ...message, ...ending }] : []
  })
  await queueReceipts(db, receipts)
}

function isFinal(event: QueuedEvent): event is StatusEvent {
  return event.type === 'message.status' && final.has(event.payload.status)
}

type Row = {
  organization_id: string
  message_id: string
  credential_id: string
  source: Address
  destination: Address
  parts: ReportedPart[]
  submitted_at: Date
}

type Taken = Omit<NewReceipts, 'doneAt' | 'outcome'>

/** The messages among the subjects that were submitted by SMPP. They get one receipt. */
async function takeMessages(db: Db, events: readonly StatusEvent[]): Promise<Map<string, Taken>> {
  if (events.length === 0) return new Map()
  const { rows } = await sql<Row>`
    delete from smpp_messages message
    using unnest(${events.map(({ organizationId }) => organizationId)}::uuid[], ${events.map(({ subjectIds: [id] }) => id)}::uuid[])
      as ended (organization_id, id)
    where message.organization_id = ended.organization_id and message.message_id = ended.id
    returning message.*`.execute(db)
  return new Map(
    rows.map((row) => [
      row.message_id,
      {
        credential: { organizationId: row.organization_id, id: row.credential_id },
        source: row.source,
        destination: row.destination,
        parts: row.parts,
        submittedAt: row.submitted_at,
      },
    ]),
  )
}

type Ending = { outcome: Outcome; doneAt: Date }

/** By message, from its first final status. */
async function readOutcomes(db: Db, events: readonly StatusEvent[]): Promise<Map<string, Ending>> {
  if (events.length === 0) return new Map()
  const described = await describeStatuses(db, events)
  const endings = new Map<string, Ending>()
  for (const [index, event] of events.entries()) {
    const [id = ''] = event.subjectIds
    if (endings.has(id)) continue
    const data = described[index]?.[0]?.data
    const reason = data && 'reason' in data ? data.reason : undefined
    endings.set(id, { outcome: outcomeOf(event.payload.status, reason), doneAt: event.at })
  }
  return endings
}

function outcomeOf(status: MessageStatus, reason: unknown): Outcome {
  if (status === 'delivered' || status === 'read') return { kind: 'delivered' }
  if (status === 'cancelled') return { kind: 'failed', reason: 'cancelled' }
  return { kind: 'failed', reason: FailureClass.catch('unknown').parse(reason) }
}
