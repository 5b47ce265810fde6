import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { Problem } from '../../../lib/problem.ts'
import { storableJson } from '../../../lib/storable.ts'
import { lockLimits } from '../../accounts/index.ts'
import { wakeLanes } from '../engine/plan-campaign.ts'
import { chooseAffordable, limitKeys, type Capacity, type PayerBalance } from './choose-affordable.ts'
import { prepareSingles, type PreparedSingle } from './prepare-singles.ts'
import type { SingleAnswer, SingleSend } from './single-send.ts'

/** Why messages with these costs, in ledger units, are not accepted, apart from the limits and balances of accounts. */
export type RefuseByCost = (costs: readonly number[]) => Promise<(Problem | undefined)[]>

const noRefusals: RefuseByCost = async () => []

/**
 * Accepts messages of one organization in the caller's transaction: holds their costs and adds them to the priority queues of
 * their senders. Each is accepted or refused as if they had been accepted one after the other. The number of statements does not
 * depend on the number of messages, and balances are locked by the last one.
 */
export async function acceptSingles(
  db: Db,
  sends: readonly SingleSend[],
  refuse: RefuseByCost = noRefusals,
): Promise<SingleAnswer[]> {
  const [first] = sends
  if (!first) return []
  const { organizationId } = first
  if (sends.some((send) => send.organizationId !== organizationId))
    throw new RangeError('Messages of several organizations cannot be accepted together')
  const checked = await prepareSingles(db, organizationId, sends)
  const costed = checked.flatMap((single) => (single instanceof Problem ? [] : [single]))
  const problems = await refuse(costed.map(({ cost }) => cost))
  const refused = new Map(costed.flatMap((single, index) => (problems[index] ? [[single, problems[index]]] : [])))
  const prepared = costed.filter((single) => !refused.has(single))
  const refusals = new Map([...refused, ...(await acceptPrepared(db, organizationId, prepared))])
  wakeLanes(db)
  return checked.map((single) => answerOf(single, refusals))
}

type Refusals = ReadonlyMap<PreparedSingle, Problem>

function answerOf(single: PreparedSingle | Problem, refusals: Refusals): SingleAnswer {
  if (single instanceof Problem) return { refused: single }
  const refused = refusals.get(single)
  if (refused) return { refused }
  const { entry, cost } = single
  return { accepted: { messageId: entry.id, parts: entry.parts, cost } }
}

/**
 * Accepts what limits and balances leave room for, and returns why the others are refused. Balances are not read before, because
 * nearly all messages are covered.
 */
async function acceptPrepared(db: Db, organizationId: string, prepared: readonly PreparedSingle[]): Promise<Refusals> {
  if (prepared.length === 0) return new Map()
  const capacity: Capacity = {
    limits: await lockLimits(db, [...new Set(prepared.map(({ path }) => path))], limitKeys),
    balances: [],
    uncovered: new Set(),
  }
  for (;;) {
    const { chosen, refusals } = chooseAffordable(prepared, capacity)
    const shortage = chosen.length > 0 ? await accept(db, organizationId, chosen) : null
    if (!shortage) return refusals
    if ('balances' in shortage) capacity.balances.push(...shortage.balances)
    else for (const id of shortage.uncovered) capacity.uncovered.add(id)
  }
}

/** Why the messages were not accepted: the balances of their accounts, or those that a reseller's balance does not cover. */
type Shortage = { balances: PayerBalance[] } | { uncovered: string[] }

/** Accepts all of the messages, or none. */
async function accept(db: Db, organizationId: string, singles: readonly PreparedSingle[]): Promise<Shortage | null> {
  const entries = JSON.stringify(storableJson(singles.map(({ entry }) => entry)))
  const { rows } = await sql<{ shortage: Shortage | null }>`
    select accept_singles(${organizationId}::uuid, ${entries}::jsonb) as shortage`.execute(db)
  return rows[0]?.shortage ?? null
}
