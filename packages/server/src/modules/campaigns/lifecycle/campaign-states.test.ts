import { CampaignStatus } from '@carillon/contract/campaign-records'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertCanBecome, canBecome, nextStatuses, startedStatuses } from './campaign-states.ts'

const status = fc.constantFrom(...CampaignStatus.options)

/** The allowed states of a campaign's hold for each status: the rule that every move must keep. */
const holdAllowed: Record<CampaignStatus, 'none' | 'open'> = {
  draft: 'none',
  validating: 'none',
  ready: 'none',
  pending_approval: 'none',
  scheduled: 'open',
  queued: 'open',
  running: 'open',
  paused: 'open',
  completed: 'none',
  cancelled: 'none',
  discarded: 'none',
  failed: 'none',
}

test('after any sequence of actions a campaign has started once, ended once, and never sent without a hold', () => {
  fc.assert(
    fc.property(fc.array(status, { maxLength: 60 }), (wishes) => {
      let current: CampaignStatus = 'draft'
      let starts = 0
      let ended = false
      for (const next of wishes) {
        if (!canBecome(current, next)) {
          expect(() => assertCanBecome(current, next)).toThrow(/cannot/)
          continue
        }
        expect(ended).toBe(false)
        if (next === 'queued' && holdAllowed[current] !== 'open') starts += 1
        else if (next === 'queued' && current === 'scheduled') starts += 1
        if (startedStatuses.includes(next)) expect(starts).toBe(1)
        // A started campaign never returns to a status in which it can be edited or discarded without a charge.
        if (startedStatuses.includes(current))
          expect(['draft', 'validating', 'ready', 'scheduled', 'discarded']).not.toContain(next)
        current = next
        ended = nextStatuses[current].length === 0
      }
    }),
    { numRuns: 2000 },
  )
})

test('every status can be reached from a draft, and every status that is not final leads to a final one', () => {
  const scope = (from: CampaignStatus) => {
    const seen = new Set<CampaignStatus>([from])
    for (const current of seen) for (const next of nextStatuses[current]) seen.add(next)
    return seen
  }
  expect(scope('draft')).toEqual(new Set(CampaignStatus.options))
  for (const current of CampaignStatus.options)
    expect([...scope(current)].some((next) => nextStatuses[next].length === 0)).toBe(true)
})

test('a rejection explains what cannot be done', () => {
  expect(() => assertCanBecome('completed', 'paused')).toThrow('A campaign that is completed cannot be paused')
})
