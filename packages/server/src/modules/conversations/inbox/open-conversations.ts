import { channelTraits } from '@carillon/contract/channels/table'
import { mergeAliases } from '../contacts/merge-aliases.ts'
import { run, serviceWindowHours, type OnInbound, type Statement, type StoredInbound } from '../../messages/index.ts'
import { recordRatings } from '../ratings/record-ratings.ts'
import { excerptOf } from '../thread/references.ts'
import { changesMessage, lockChanged, showChanged } from './changed-messages.ts'

/** The message begins the wait for an answer, or an earlier one than those known. */
const beginsWait = `known.blocked_at is null and excluded.waiting_since is not null
  and coalesce(known.answered_at < excluded.waiting_since, true) and coalesce(excluded.waiting_since < known.waiting_since, true)`

/**
 * Opens the conversations of new messages, or moves those that exist. A message that asks for an answer reopens a resolved or
 * snoozed conversation and cancels replies that were to be sent later. Locks in the order of ids. The rows are passed as JSON: their
 * estimated number is then independent of the values, and the statement is planned once.
 */
const open: Statement = {
  name: 'open-conversations',
  text: `
  with input as materialized (
    select * from jsonb_to_recordset($1::jsonb) as input (organization_id uuid, sender_id uuid, id uuid, identity text, asks int,
      asked_at timestamptz, window_expires_at timestamptz, last_at timestamptz, last_text text, last_type text)
  ), settings as materialized (
    select organization_id, inbox_settings as row, first_reply_minutes, next_reply_minutes from inbox_settings
    where organization_id in (select organization_id from input) and (first_reply_minutes is not null or next_reply_minutes is not null)
  ), resolved as (
    select conversations.id from input
    join conversations on conversations.organization_id = input.organization_id and conversations.id = input.id
    where status = 'resolved' and assignee_id is not null
  ), changed as (
    insert into conversations as known (organization_id, id, sender_id, channel, identity, status, unread, window_expires_at, waiting_since,
      due_at, opened_at, resolved_at, last_at, last_text, last_type)
    select input.organization_id, input.id, input.sender_id, sender.channel, input.identity,
      case when input.asks > 0 then 'open' else 'resolved' end::conversation_status, input.asks, input.window_expires_at, input.asked_at,
      (select business_due(row, input.asked_at, first_reply_minutes) from settings where settings.organization_id = input.organization_id),
      input.last_at, case when input.asks = 0 then input.last_at end, input.last_at, input.last_text, input.last_type
    from input
    join senders sender on sender.organization_id = input.organization_id and sender.id = input.sender_id
    order by input.id
    on conflict (organization_id, id) do update set
      status = case when excluded.unread = 0 or known.blocked_at is not null or known.status not in ('resolved', 'snoozed') then known.status
        when known.held_by = 'bot' then 'pending' else 'open' end,
      opened_at = case when known.status = 'resolved' and excluded.unread > 0 and known.blocked_at is null then excluded.last_at
        else known.opened_at end,
      first_answered_at = case when known.status = 'resolved' and excluded.unread > 0 and known.blocked_at is null then null
        else known.first_answered_at end,
      resolved_at = case when excluded.unread > 0 and known.blocked_at is null then null else known.resolved_at end,
      snoozed_until = case when excluded.unread > 0 and known.blocked_at is null then null else known.snoozed_until end,
      snooze_note = case when excluded.unread > 0 and known.blocked_at is null then null else known.snooze_note end,
      unread = known.unread + case when known.blocked_at is null then excluded.unread else 0 end,
      window_expires_at = greatest(known.window_expires_at, excluded.window_expires_at),
      waiting_since = case when ${beginsWait} then excluded.waiting_since else known.waiting_since end,
      due_at = case when not (${beginsWait}) then known.due_at
        when known.first_answered_at is null or known.status = 'resolved' then excluded.due_at
        else (select business_due(row, excluded.waiting_since, next_reply_minutes) from settings
          where settings.organization_id = known.organization_id) end,
      last_at = greatest(known.last_at, excluded.last_at),
      last_text = case when excluded.last_at >= known.last_at then excluded.last_text else known.last_text end,
      last_type = case when excluded.last_at >= known.last_at then excluded.last_type else known.last_type end,
      revision = known.revision + 1,
      xid = pg_current_xact_id(),
      last_by = case when excluded.last_at >= known.last_at then 'person' else known.last_by end
    returning known.organization_id, known.id, known.assignee_id, known.status,
      known.status <> 'resolved' and known.opened_at = known.last_at as is_opened
  ), facts as (
    insert into agent_facts (organization_id, account_id, at, kind, conversation_id)
    select changed.organization_id, changed.assignee_id, input.last_at, fact.kind, changed.id
    from changed
    join input on input.id = changed.id
    cross join lateral (
      select 'message_in' as kind from generate_series(1, input.asks)
      union all select 'reopened' where changed.status <> 'resolved' and changed.id in (select id from resolved)) fact
    where changed.assignee_id is not null
  ), answered as (
    update scheduled_replies reply set ended_at = now(), result = 'answered'
    from input
    where input.asks > 0 and reply.organization_id = input.organization_id and reply.conversation_id = input.id
      and reply.ended_at is null and reply.ends_on_answer
    returning reply.organization_id, reply.conversation_id, reply.id
  ), subscribed as materialized (
    select organization_id from (select distinct organization_id from input) input where has_subscribers(organization_id, 'conversation.opened')
  ), published as (
    select publish_event(organization_id, 'conversation.opened', array[id], '{}') from changed
    where is_opened and organization_id in (select organization_id from subscribed)
  )
  insert into conversation_events (organization_id, conversation_id, id, kind, details)
  select organization_id, conversation_id, hashed_id('answered:' || id), 'reply_cancelled', '{"reason": "The person wrote first"}' from answered
  where (select count(*) from published) >= 0`,
}

/** Runs in the transaction that stores the messages, so that each stored message is in a conversation. */
export const openConversations: OnInbound = async (db, stored) => {
  await lockChanged(db, stored)
  const written = stored.filter((message) => !changesMessage(message))
  if (written.length === 0) return showChanged(db, stored)
  const ratings = await recordRatings(db, written)
  const moved = [...Map.groupBy(written, ({ conversationId }) => conversationId)].map(([id, messages]) => ({
    id,
    ...summarize(messages, ratings),
  }))
  await run(db, open, [JSON.stringify(moved)])
  await mergeAliases(db, stored)
  await showChanged(db, stored)
}

function summarize(messages: readonly StoredInbound[], ratings: ReadonlySet<string>) {
  const inOrder = messages.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const last = inOrder.at(-1)
  if (!last) throw new Error('A conversation without messages')
  const asking = inOrder.filter((message) => asksForAnswer(message) && !ratings.has(message.id))
  return {
    organization_id: last.organizationId,
    sender_id: last.senderId,
    identity: last.identity,
    asks: asking.length,
    asked_at: asking[0]?.at ?? null,
    window_expires_at: channelTraits[last.channel].hasServiceWindow
      ? new Date(last.at.getTime() + serviceWindowHours * 3_600_000)
      : null,
    last_at: last.at,
    last_text: excerptOf(last.body),
    last_type: last.body.type,
  }
}

/** An opt-out, a reaction and a tap on a link need no answer, nor does a rating. */
function asksForAnswer({ request, type, isAction }: StoredInbound): boolean {
  return request === undefined && type !== 'reaction' && type !== 'system' && !isAction
}
