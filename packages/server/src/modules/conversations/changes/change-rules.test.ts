import type { ConversationChange } from '@carillon/contract/conversations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../../lib/problem.ts'
import { planChange, type Conversation } from './change-rules.ts'

const now = new Date('2026-11-05T10:00:00Z')
const later = new Date('2026-11-06T10:00:00Z')
const [own, other] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002']
const acting = { accountId: own, now }

const initial: Conversation = {
  status: 'open',
  held_by: 'human',
  paused_until: null,
  assignee_id: null,
  team_id: null,
  priority: 1,
  labels: [],
  unread: 1,
  snoozed_until: null,
  snooze_note: null,
  blocked_at: null,
  opened_at: new Date('2026-11-05T09:00:00Z'),
}

const assignees = fc.constantFrom(null, own, other)
const changes: fc.Arbitrary<ConversationChange> = fc.oneof(
  fc.record({ status: fc.constantFrom('open' as const, 'pending' as const, 'resolved' as const) }),
  fc.record(
    {
      status: fc.constant('snoozed' as const),
      snoozedUntil: fc.constant(later.toISOString()),
      snoozeNote: fc.constant('Call'),
    },
    { requiredKeys: ['status'] },
  ),
  fc.record({ handledBy: fc.constantFrom('bot' as const, 'human' as const) }),
  fc.record({ handledBy: fc.constant('paused' as const), pausedUntil: fc.constant(later.toISOString()) }),
  fc.record({ assigneeId: assignees }),
  fc.record({ assigneeId: assignees, status: fc.constantFrom('open' as const, 'resolved' as const) }),
  fc.record({ isBlocked: fc.boolean() }),
  fc.record({ isUnread: fc.boolean() }),
  fc.record({ labels: fc.uniqueArray(fc.constantFrom('vip', 'refund')) }),
  fc.record({ priority: fc.constantFrom('low' as const, 'urgent' as const) }),
)

/** The conversation after a change; the same if its state does not allow it. */
function apply(conversation: Conversation, change: ConversationChange): Conversation {
  try {
    return { ...conversation, ...planChange(conversation, change, acting).set }
  } catch (error) {
    if (error instanceof Problem) return conversation
    throw error
  }
}

test('whatever members do, status, holder and assignee agree', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 20 }), (given) => {
      let conversation = initial
      for (const change of given) {
        const [wasBlocked, was] = [conversation.blocked_at !== null, conversation.status]
        conversation = apply(conversation, change)
        const { status, held_by, snoozed_until, snooze_note, paused_until, unread, blocked_at } = conversation
        if (status !== 'snoozed') expect([snoozed_until, snooze_note]).toEqual([null, null])
        if (status === 'pending') expect(held_by).toBe('bot')
        if (status === 'open') expect(held_by).not.toBe('bot')
        if (held_by !== 'paused') expect(paused_until).toBeNull()
        if (blocked_at !== null && !wasBlocked) expect(unread).toBe(0)
        if (status === 'resolved' && was !== 'resolved') expect(unread).toBe(0)
      }
    }),
    { numRuns: 3000 },
  )
})

test('a change is made once: its repeat changes nothing', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 8 }), changes, (given, change) => {
      const before = given.reduce(apply, initial)
      const after = apply(before, change)
      if (change.status === 'snoozed') return
      expect(apply(after, change)).toEqual(after)
    }),
    { numRuns: 3000 },
  )
})

test('each assignment is counted for the new assignee, each transfer for both', () => {
  fc.assert(
    fc.property(assignees, assignees, (from, to) => {
      const { facts, events } = planChange({ ...initial, assignee_id: from }, { assigneeId: to }, acting)
      const kinds = facts.map(({ kind, accountId }) => `${kind} ${accountId}`)
      if (from === to) expect([kinds, events]).toEqual([[], []])
      else if (to === null) expect([kinds, events]).toEqual([[], [{ kind: 'unassigned' }]])
      else
        expect(new Set(kinds)).toEqual(
          new Set([`assigned ${to}`, ...(from === null ? [] : [`transfer_out ${from}`, `transfer_in ${to}`])]),
        )
    }),
  )
})

test.each([
  ['pending', 'A resolved conversation cannot become pending: reopen it first'],
  ['snoozed', 'A resolved conversation cannot become snoozed: reopen it first'],
] as const)('a resolved conversation does not become %s', (status, message) => {
  expect(() => planChange({ ...initial, status: 'resolved' }, { status }, acting)).toThrow(message)
})

test('resolving is counted for the holder, with the time since it was opened', () => {
  const { facts } = planChange({ ...initial, assignee_id: other }, { status: 'resolved' }, acting)
  expect(facts).toEqual([
    { accountId: other, kind: 'resolved' },
    { accountId: other, kind: 'resolution', since: initial.opened_at },
  ])
})
