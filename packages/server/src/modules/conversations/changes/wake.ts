import { sql, type Updateable } from 'kysely'
import { z } from 'zod'
import { asSystem, notifyAfterCommit, type Database, type Db } from '../../../db/pool.ts'
import { eventChannel } from '../../../events/domain-events.ts'
import { addJob, defineJob } from '../../../jobs/jobs.ts'
import type { Conversations } from '../../../db/schema.ts'
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
  const { set, events } = planWaking(conversation, new Date())
  const changed = await db
    .updateTable('conversations')
    .set(set)
    .where('organization_id', '=', conversation.organization_id)
    .where('id', '=', conversation.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await announceItems(db, changed, await addEvents(db, changed, { actor: undefined, events }))
}

/** A conversation whose time has come is open, or pending if its bot has it then. */
function planWaking(conversation: ConversationRow, now: Date): { set: Updateable<Conversations>; events: NewEvent[] } {
  const { status, snoozed_until, snooze_note: note, held_by, paused_until, unread } = conversation
  const wakes = status === 'snoozed' && isOver(snoozed_until, now)
  const unpauses = held_by === 'paused' && isOver(paused_until, now)
  const active = unpauses || held_by === 'bot' ? ('pending' as const) : ('open' as const)
  return {
    set: {
      ...(unpauses && { held_by: 'bot', paused_until: null }),
      ...(wakes && { snoozed_until: null, snooze_note: null, unread: Math.max(unread, 1) }),
      ...((wakes || (unpauses && status === 'open')) && { status: active }),
    },
    events: [
      ...(wakes ? [{ kind: 'woken' as const, details: note === null ? {} : { note } }] : []),
      ...(unpauses ? [{ kind: 'handed_to_bot' as const }] : []),
    ],
  }
}

function isOver(time: Date | null, now: Date): boolean {
  return time !== null && time <= now
}
