import type { ConversationPriority, ConversationStatus, HeldBy } from '@carillon/contract/conversation-records'
import type { ConversationChange } from '@carillon/contract/conversations'
import { badField, conflict } from '../../../lib/problem.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'
import type { Fact, NewEvent, TimedFact } from './record-changes.ts'

const nextStatuses: Record<ConversationStatus, readonly ConversationStatus[]> = {
  open: ['pending', 'snoozed', 'resolved'],
  pending: ['open', 'snoozed', 'resolved'],
  snoozed: ['open', 'pending', 'resolved'],
  resolved: ['open'],
}

export const priorities: readonly ConversationPriority[] = ['low', 'normal', 'high', 'urgent']

export type Conversation = Pick<
  ConversationRow,
  | 'status'
  | 'held_by'
  | 'paused_until'
  | 'assignee_id'
  | 'team_id'
  | 'priority'
  | 'labels'
  | 'unread'
  | 'snoozed_until'
  | 'snooze_note'
  | 'blocked_at'
  | 'opened_at'
>

/** The columns that a change sets. */
export type Changed = Partial<
  Conversation & Pick<ConversationRow, 'assigned_at' | 'resolved_at' | 'first_answered_at' | 'waiting_since' | 'due_at'>
>

export type Plan = { set: Changed; events: NewEvent[]; facts: (Fact | TimedFact)[] }

export type Acting = { accountId: string; now: Date }

/** What a change does to a conversation; throws if its state does not allow the change. Names in events are added by the caller. */
export function planChange(conversation: Conversation, change: ConversationChange, acting: Acting): Plan {
  assertSnooze(conversation, change, acting.now)
  const plan: Plan = { set: {}, events: [], facts: [] }
  const steps = [planHolder, planStatus, planAssignee, planTeam, planLabels, planBlock, planUnread]
  for (const step of steps) {
    const { set, events = [], facts = [] } = step({ ...conversation, ...plan.set }, change, acting)
    Object.assign(plan.set, set)
    plan.events.push(...events)
    plan.facts.push(...facts)
  }
  return plan
}

const nothing: Partial<Plan> = {}

/** The latest time until which a conversation may be snoozed or a bot paused. */
export const longestMs = 366 * 86_400_000

function assertSnooze({ status }: Conversation, change: ConversationChange, now: Date): void {
  const { snoozedUntil, snoozeNote, pausedUntil, handledBy } = change
  const isSnoozed = (change.status ?? status) === 'snoozed'
  if (!isSnoozed && (snoozedUntil !== undefined || snoozeNote !== undefined))
    throw badField('snoozedUntil', 'Only a snoozed conversation has a time and a reason')
  if (pausedUntil !== undefined && handledBy !== 'paused') throw badField('pausedUntil', 'Only a paused bot has a time')
  for (const [field, time] of Object.entries({ snoozedUntil, pausedUntil })) {
    if (time === undefined) continue
    const ahead = new Date(time).getTime() - now.getTime()
    if (ahead <= 0) throw badField(field, 'Choose a time in the future')
    if (ahead > longestMs) throw badField(field, 'Choose a time within a year')
  }
}

const holderEvents: Record<HeldBy, 'taken_over' | 'handed_to_bot' | 'bot_paused'> = {
  human: 'taken_over',
  bot: 'handed_to_bot',
  paused: 'bot_paused',
}

/** A conversation with a bot is pending until a member takes it over. */
function planHolder(conversation: Conversation, change: ConversationChange): Partial<Plan> {
  const { held_by, paused_until } = conversation
  const holder = change.handledBy ?? holderOf(change.status, held_by)
  const until = pauseOf(conversation, change)
  const isSame = holder === held_by && (holder !== 'paused' || until?.getTime() === paused_until?.getTime())
  if (isSame) return nothing
  return {
    set: {
      held_by: holder,
      paused_until: holder === 'paused' ? until : null,
      ...statusWith(holder, conversation, change),
    },
    events: [
      {
        kind: holderEvents[holder],
        ...(holder === 'paused' && until ? { details: { until: until.toISOString() } } : {}),
      },
    ],
  }
}

/** The end of the pause: as it was, unless the change names the holder. */
function pauseOf({ paused_until }: Conversation, { handledBy, pausedUntil }: ConversationChange): Date | null {
  if (handledBy === undefined) return paused_until
  return pausedUntil === undefined ? null : new Date(pausedUntil)
}

/** Of a conversation that is neither snoozed nor resolved. */
function statusWith(
  holder: HeldBy,
  { status }: Conversation,
  change: ConversationChange,
): { status?: ConversationStatus } {
  if (status !== 'open' && status !== 'pending') return {}
  const next = change.status ?? (holder === 'bot' ? 'pending' : 'open')
  return { status: next === 'pending' ? 'pending' : 'open' }
}

function holderOf(status: ConversationChange['status'], held_by: string): HeldBy {
  if (status === 'pending') return 'bot'
  if (status === 'open' && held_by === 'bot') return 'human'
  return held_by === 'bot' || held_by === 'paused' ? held_by : 'human'
}

function planStatus(conversation: Conversation, change: ConversationChange, acting: Acting): Partial<Plan> {
  const next = change.status
  if (next === undefined && change.snoozedUntil === undefined && change.snoozeNote === undefined) return nothing
  if (next === 'snoozed' || next === undefined) return planSnooze(conversation, change)
  if (next === conversation.status) return nothing
  assertMayBecome(conversation.status, next)
  const awake = { snoozed_until: null, snooze_note: null }
  if (next === 'resolved') return resolve(conversation, awake, acting)
  if (conversation.status === 'resolved')
    return {
      set: { status: next, opened_at: acting.now, resolved_at: null, first_answered_at: null },
      events: [{ kind: 'reopened' }],
      facts: [{ accountId: acting.accountId, kind: 'reopened' }],
    }
  const wakes = conversation.status === 'snoozed'
  return { set: { status: next, ...awake }, events: wakes ? [{ kind: 'woken' }] : [] }
}

export function assertMayBecome(current: ConversationStatus, next: ConversationStatus): void {
  if (current !== next && !nextStatuses[current].includes(next))
    throw conflict(`A ${current} conversation cannot become ${next}: reopen it first`)
}

function resolve({ assignee_id, opened_at }: Conversation, awake: Changed, { accountId, now }: Acting): Partial<Plan> {
  const credited = assignee_id ?? accountId
  return {
    set: { status: 'resolved', ...awake, resolved_at: now, waiting_since: null, due_at: null, unread: 0 },
    events: [{ kind: 'resolved' }],
    facts: [
      { accountId: credited, kind: 'resolved' },
      { accountId: credited, kind: 'resolution', since: opened_at },
    ],
  }
}

/** Snoozing again changes the time and the reason. */
function planSnooze(conversation: Conversation, { snoozedUntil, snoozeNote }: ConversationChange): Partial<Plan> {
  assertMayBecome(conversation.status, 'snoozed')
  const until = snoozedUntil === undefined ? null : new Date(snoozedUntil)
  return {
    set: { status: 'snoozed', snoozed_until: until, snooze_note: snoozeNote || null },
    events: [
      {
        kind: 'snoozed',
        details: { ...(until ? { until: until.toISOString() } : {}), ...(snoozeNote ? { note: snoozeNote } : {}) },
      },
    ],
  }
}

function planAssignee({ assignee_id }: Conversation, change: ConversationChange, acting: Acting): Partial<Plan> {
  const next = change.assigneeId
  if (next === undefined || next === assignee_id) return nothing
  const from: Fact[] = assignee_id === null || next === null ? [] : [{ accountId: assignee_id, kind: 'transfer_out' }]
  return {
    set: { assignee_id: next, assigned_at: next === null ? null : acting.now },
    events: [next === null ? { kind: 'unassigned' } : { kind: 'assigned', details: { assigneeId: next } }],
    facts:
      next === null
        ? []
        : [
            ...from,
            { accountId: next, kind: 'assigned' },
            ...(assignee_id === null ? [] : [{ accountId: next, kind: 'transfer_in' as const }]),
          ],
  }
}

function planTeam({ team_id }: Conversation, { teamId }: ConversationChange): Partial<Plan> {
  if (teamId === undefined || teamId === team_id) return nothing
  return {
    set: { team_id: teamId },
    events: [{ kind: 'team_assigned', details: teamId === null ? {} : { teamId } }],
  }
}

function planLabels({ priority, labels }: Conversation, change: ConversationChange): Partial<Plan> {
  const next = change.priority === undefined ? priority : priorities.indexOf(change.priority)
  const named = change.labels && [...new Set(change.labels)]
  const isRelabelled = named !== undefined && named.join('\n') !== labels.join('\n')
  return {
    set: { ...(next === priority ? {} : { priority: next }), ...(isRelabelled ? { labels: named } : {}) },
    events: [
      ...(next === priority
        ? []
        : [{ kind: 'priority_changed' as const, details: { priority: priorities[next] ?? '' } }]),
      ...(isRelabelled ? [{ kind: 'labels_changed' as const, details: { labels: named.join(', ') } }] : []),
    ],
  }
}

/** Messages of a blocked person are stored and need no answer. */
function planBlock({ blocked_at }: Conversation, { isBlocked }: ConversationChange, { now }: Acting): Partial<Plan> {
  if (isBlocked === undefined || isBlocked === (blocked_at !== null)) return nothing
  return isBlocked
    ? { set: { blocked_at: now, waiting_since: null, due_at: null, unread: 0 }, events: [{ kind: 'blocked' }] }
    : { set: { blocked_at: null }, events: [{ kind: 'unblocked' }] }
}

function planUnread({ unread }: Conversation, { isUnread }: ConversationChange): Partial<Plan> {
  if (isUnread === undefined || isUnread === unread > 0) return nothing
  return { set: { unread: isUnread ? 1 : 0 } }
}
