import { sql } from 'kysely'
import { z } from 'zod'
import { asSystem, notifyAfterCommit, type Database, type Db } from '../../../db/pool.ts'
import { eventChannel } from '../../../events/domain-events.ts'
import { addJob, defineJob } from '../../../jobs/jobs.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'
import { addEvents, announceItems, type NewEvent } from './record-changes.ts'

/** Wakes a conversation, or gives it back to its bot, at a time. */
export const wakeOne = defineJob('conversations.wake', z.object({ organizationId: z.string(), id: z.string() }))

/** Adds the job for the time at which a conversation changes by itself. A later time replaces the earlier one. */
export async function scheduleWaking(db: Db, conversation: ConversationRow): Promise<void> {
  const { organization_id: organizationId, id, status, snoozed_until, held_by, paused_until } = conversation
  const payload = { organizationId, id }
  if (status === 'snoozed' && snoozed_until)
    await addJob(db, wakeOne, { payload, jobKey: `wake:${id}`, runAt: snoozed_until })
  if (held_by === 'paused' && paused_until)
    await addJob(db, wakeOne, { payload, jobKey: `unpause:${id}`, runAt: paused_until })
}

const mostAtOnce = 200

/** Those whose time has come: all of them, or one. A job that was lost is made up for by the minute's check. */
export async function wakeDue(database: Database, one?: { organizationId: string; id: string }): Promise<void> {
  let count: number
  do {
    count = await asSystem(database, (db) => wakeSome(db, one))
  } while (count === mostAtOnce)
}

async function wakeSome(db: Db, one: { organizationId: string; id: string } | undefined): Promise<number> {
  const due = await db
    .selectFrom('conversations')
    .selectAll()
    .$if(one !== undefined, (query) =>
      query.where('organization_id', '=', one?.organizationId ?? '').where('id', '=', one?.id ?? ''),
    )
    .where(
      sql<boolean>`((status = 'snoozed' and snoozed_until <= clock_timestamp())
        or (held_by = 'paused' and paused_until <= clock_timestamp()))`,
    )
    .orderBy('organization_id')
    .orderBy('id')
    .limit(mostAtOnce)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const conversation of due) await wake(db, conversation)
  if (due.length > 0) notifyAfterCommit(db, eventChannel)
  return due.length
}

async function wake(db: Db, conversation: ConversationRow): Promise<void> {
  const now = new Date()
  const unpaused = endPause(conversation, now)
  const woken = endSnooze({ ...conversation, ...unpaused.set }, now)
  const changed = await db
    .updateTable('conversations')
    .set({ ...unpaused.set, ...woken.set })
    .where('organization_id', '=', conversation.organization_id)
    .where('id', '=', conversation.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const events = [...woken.events, ...unpaused.events]
  await announceItems(db, changed, await addEvents(db, changed, { actor: undefined, events }))
}

type Woken = { set: Partial<ConversationRow>; events: NewEvent[] }

const nothing: Woken = { set: {}, events: [] }

/** A conversation that is not snoozed or resolved is pending while its bot has it. */
function endPause({ status, held_by, paused_until }: ConversationRow, now: Date): Woken {
  if (held_by !== 'paused' || paused_until === null || paused_until > now) return nothing
  return {
    set: { held_by: 'bot', paused_until: null, ...(status === 'open' && { status: 'pending' }) },
    events: [{ kind: 'handed_to_bot' }],
  }
}

function endSnooze({ status, snoozed_until, snooze_note: note, held_by, unread }: ConversationRow, now: Date): Woken {
  if (status !== 'snoozed' || snoozed_until === null || snoozed_until > now) return nothing
  return {
    set: {
      status: held_by === 'bot' ? 'pending' : 'open',
      snoozed_until: null,
      snooze_note: null,
      unread: Math.max(unread, 1),
    },
    events: [{ kind: 'woken', details: note === null ? {} : { note } }],
  }
}
