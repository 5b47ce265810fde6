import type { BeginningAt } from './beginnings.ts'

/** What one leg costs for one recipient. */
export type RecipientCost = {
  /** Ledger units. */
  cost: number
  /** Also charged if the message fails after it was accepted. */
  isBilledOnSending: boolean
}

export type SplitTerms = {
  /** Undefined: the recipient gets no message of this leg. */
  costOf(seq: number): RecipientCost | undefined
  /** Ends of earlier messages that lead to this leg; empty for the first. */
  enterReasons: readonly string[]
  results: ExpectedResults
}

/** Shares of a leg's messages, each from 0 to 1. */
export type ExpectedResults = {
  /** Charged where sending is billed. */
  accepted: number
  /** Charged where deliveries are billed: accepted, and not failed since. */
  notFailed: number
  delivered: number
  /** Ends that may lead to a later leg, by reason; together at most 1. */
  ends: readonly { reason: string; share: number }[]
}

/** Every message is delivered. */
export const allDelivered: ExpectedResults = { accepted: 1, notFailed: 1, delivered: 1, ends: [] }

export type SplitLeg = { starters: number; people: number; delivered: number; cost: number }

/** Amounts in ledger units. */
export type Split = {
  legs: SplitLeg[]
  /** Recipients who begin with no leg. */
  excluded: number
  range: Record<'minimum' | 'reachedFrom' | 'reachedTo' | 'expected' | 'maximum', number>
}

/**
 * How many people each leg is expected to reach at what cost, and between which amounts the cost of all legs lies. A message costs
 * nothing until it is accepted, so a campaign of which every message is refused costs nothing, whatever its legs.
 */
export function expectSplit(
  legs: readonly SplitTerms[],
  { people, beginningAt }: { people: number; beginningAt: BeginningAt },
): Split {
  const groups = new Map<number, Group>()
  const range = { minimum: 0, reachedFrom: 0, reachedTo: 0, expected: 0, maximum: 0 }
  let started = 0
  // One path for all recipients: an audience may have a million.
  const path: Path = []
  for (let seq = 0; seq < people; seq += 1) {
    fillPath(path, legs, { seq, start: beginningAt(seq) })
    if (path.length === 0) continue
    started += 1
    addToRange(range, path)
    addToGroup(groups, path)
  }
  const totals = legs.map(() => ({ starters: 0, people: 0, delivered: 0, cost: 0 }))
  for (const group of groups.values()) addExpected(totals, legs, group)
  range.expected = Math.min(range.maximum, Math.round(totals.reduce((sum, { cost }) => sum + cost, 0)))
  return { legs: totals, excluded: people - started, range }
}

/** The legs that a recipient may get, in order, from the one to begin with. */
type Path = { leg: number; cost: RecipientCost }[]

/** Empty if the recipient begins with no leg. */
function fillPath(path: Path, legs: readonly SplitTerms[], { seq, start }: { seq: number; start: number }) {
  path.length = 0
  if (start < 0) return
  for (let leg = start; leg < legs.length; leg += 1) {
    const cost = legs[leg]?.costOf(seq)
    if (cost) path.push({ leg, cost })
  }
}

/** The most expensive way to be reached by one message: earlier ones were accepted, and failed where that is charged. */
function addToRange(range: Split['range'], path: Path) {
  let [cheapest, dearest, failedBefore] = [Number.POSITIVE_INFINITY, 0, 0]
  for (const {
    cost: { cost, isBilledOnSending },
  } of path) {
    range.maximum += cost
    cheapest = Math.min(cheapest, cost)
    dearest = Math.max(dearest, failedBefore + cost)
    if (isBilledOnSending) failedBefore += cost
  }
  range.reachedFrom += cheapest
  range.reachedTo += dearest
}

/** Recipients with the same legs, charged in the same way. */
type Group = { people: number; legs: { leg: number; isBilledOnSending: boolean; cost: number }[] }

function addToGroup(groups: Map<number, Group>, path: Path) {
  let key = 0
  for (const { leg, cost } of path) key += (cost.isBilledOnSending ? 2 : 1) * 3 ** leg
  let group = groups.get(key)
  if (!group) {
    group = { people: 0, legs: path.map(({ leg, cost }) => ({ ...cost, leg, cost: 0 })) }
    groups.set(key, group)
  }
  group.people += 1
  for (let index = 0; index < path.length; index += 1) {
    const [step, part] = [group.legs[index], path[index]]
    if (step && part) step.cost += part.cost.cost
  }
}

/** Each message leads to the first later leg of the group that accepts its end. */
function addExpected(totals: SplitLeg[], terms: readonly SplitTerms[], { people, legs }: Group) {
  const shares: number[] = legs.map((_, index) => (index === 0 ? 1 : 0))
  for (const [index, { leg, isBilledOnSending, cost }] of legs.entries()) {
    const [total, results, share] = [totals[leg], terms[leg]?.results, shares[index] ?? 0]
    if (!total || !results) continue
    if (index === 0) total.starters += people
    total.people += people * share
    total.delivered += people * share * results.delivered
    total.cost += cost * share * (isBilledOnSending ? results.accepted : results.notFailed)
    for (const end of results.ends) {
      const next = legs.findIndex((later, at) => at > index && terms[later.leg]?.enterReasons.includes(end.reason))
      if (next > 0) shares[next] = (shares[next] ?? 0) + share * end.share
    }
  }
}
