import type { ChatEvent, TypingStatus } from '@carillon/contract/realtime'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import { asSystem, eachAsSystem, type Database, type Db } from '../../../db/pool.ts'
import { recordEvents } from '../../../events/record-events.ts'
import { openRoom, type ChatHooks } from '../../../realtime/chat-sockets.ts'
import { sees, type Reach } from '../access/sees.ts'
import type { MemberRooms } from './member-rooms.ts'

export type ChatEventDeps = {
  database: Database
  members: MemberRooms
  pushTyping(to: { rooms: string[]; except: string[] }, status: TypingStatus): void
}

/** A viewer's row is written at most this often while nothing changes. */
const refreshMs = 8000
/** At most one event about typing is passed on for a conversation in this time. */
const typingEveryMs = 5000
const mostRemembered = 10_000

const chatIdFormat = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Events of clients: who has a conversation open, who replies, and `IS_TYPING`. An assignee who opens it is a fact. Each is checked against what the account sees now. */
export function createChatEvents({
  database,
  members,
  pushTyping,
}: ChatEventDeps): Pick<ChatHooks, 'onEvent' | 'onLeft'> {
  const written = new Map<string, { isReplying: boolean; at: number; assignedAt: number | undefined }>()
  const typedAt = new Map<string, number>()

  async function view(actor: UserActor, reach: Reach, { chatId, isReplying }: { chatId: string; isReplying: boolean }) {
    // An admin or reseller who looks on is not announced under the member's name.
    if (actor.impersonatedBy !== undefined) return (await isSeen(database, reach, chatId)) ? 'open' : 'closed'
    const key = `${actor.accountId} ${chatId}`
    const last = written.get(key)
    const now = performance.now()
    const isSame = last?.isReplying === isReplying
    if (isSame && now - last.at < refreshMs) return 'open'
    const seen = await asSystem(database, async (db) => {
      const viewed = await writeViewer(db, reach, { chatId, isReplying })
      if (!viewed) return undefined
      const { assignedAt } = viewed
      if (assignedAt && assignedAt.getTime() !== last?.assignedAt) await recordOpened(db, reach, chatId)
      if (!isSame) await announce(db, reach, chatId)
      return { assignedAt: assignedAt?.getTime() }
    })
    if (!seen) return 'closed'
    remember(written, key, { isReplying, at: now, ...seen })
    return 'open'
  }

  async function leave({ accountId, organizationId, impersonatedBy }: UserActor, chatId: string) {
    if (impersonatedBy !== undefined) return
    written.delete(`${accountId} ${chatId}`)
    await asSystem(database, async (db) => {
      const { numDeletedRows } = await db
        .deleteFrom('conversation_viewers')
        .where('organization_id', '=', organizationId)
        .where('conversation_id', '=', chatId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      if (numDeletedRows > 0n) await announce(db, { organizationId }, chatId)
    })
  }

  /** Clients send it with each incoming message, so it says nothing about the person and is sent to no provider. */
  async function passOn(actor: UserActor, reach: Reach, event: ChatEvent): Promise<void> {
    const { chatId } = event
    const now = performance.now()
    if (now - (typedAt.get(chatId) ?? Number.NEGATIVE_INFINITY) < typingEveryMs) return
    if (!(await isSeen(database, reach, chatId))) return
    remember(typedAt, chatId, now)
    const { accountId: _id, username: name } = actor
    const to = { rooms: [openRoom(chatId)], except: [`account:${_id}`] }
    pushTyping(to, { ...event, member: { _id, name }, isTyping: false })
  }

  return {
    async onEvent(actor, event) {
      const reach = members.reachOf(actor.accountId)
      const { chatId, eventType } = event
      if (!chatIdFormat.test(chatId)) return 'unchanged'
      if (eventType === 'LEFT') {
        await leave(actor, chatId)
        return 'closed'
      }
      if (!reach) return 'closed'
      if (eventType === 'VIEWING') return view(actor, reach, { chatId, isReplying: false })
      if (eventType === 'REPLYING') return view(actor, reach, { chatId, isReplying: true })
      if (eventType === 'IS_TYPING') await passOn(actor, reach, event)
      return 'unchanged'
    },
    onLeft: leave,
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= mostRemembered) map.clear()
  map.set(key, value)
}

async function isSeen(database: Database, reach: Reach, chatId: string): Promise<boolean> {
  const { rows } = await eachAsSystem(database, (db) =>
    sql`select from conversations conversation where ${sees(reach)} and conversation.id = ${chatId}::uuid`.execute(db),
  )
  return rows.length > 0
}

/** When the conversation was assigned to the member, if it is theirs. Undefined if the member does not see it. */
async function writeViewer(
  db: Db,
  reach: Reach,
  { chatId, isReplying }: { chatId: string; isReplying: boolean },
): Promise<{ assignedAt: Date | null } | undefined> {
  const { rows } = await sql<{ assignedAt: Date | null }>`
    with seen as (
      select organization_id, id, case when assignee_id = ${reach.accountId}::uuid then assigned_at end as assigned_at
      from conversations conversation where ${sees(reach)} and conversation.id = ${chatId}::uuid
    ), written as (
      insert into conversation_viewers as known (organization_id, conversation_id, account_id, is_replying)
      select organization_id, id, ${reach.accountId}::uuid, ${isReplying} from seen
      on conflict (organization_id, conversation_id, account_id) do update
      set is_replying = excluded.is_replying, seen_at = clock_timestamp()
    )
    select assigned_at as "assignedAt" from seen`.execute(db)
  return rows[0]
}

/** Once for each assignment. Other processes wait for the viewer's row, so that they find the fact. */
async function recordOpened(db: Db, { organizationId, accountId }: Reach, chatId: string): Promise<void> {
  await sql`
    insert into agent_facts (organization_id, account_id, kind, conversation_id)
    select organization_id, assignee_id, 'opened', id from conversations conversation
    where organization_id = ${organizationId}::uuid and id = ${chatId}::uuid and assignee_id = ${accountId}::uuid
      and not exists (
        select from agent_facts fact
        where fact.organization_id = conversation.organization_id and fact.conversation_id = conversation.id
          and fact.account_id = conversation.assignee_id and fact.kind = 'opened' and fact.at >= conversation.assigned_at)`.execute(
    db,
  )
}

async function announce(db: Db, { organizationId }: Pick<Reach, 'organizationId'>, chatId: string): Promise<void> {
  await recordEvents(db, [{ type: 'viewers.changed', organizationId, subjectIds: [chatId], payload: {} }])
}
