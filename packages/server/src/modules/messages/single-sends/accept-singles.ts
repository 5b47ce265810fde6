import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { Problem, withinField } from '../../../lib/problem.ts'
import { storableJson } from '../../../lib/storable.ts'
import { lockLimits } from '../../accounts/index.ts'
import { wakeLanes } from '../engine/plan-campaign.ts'
import { expiryBefore } from './decide-leg.ts'
import { storeLegs } from './legs-of-singles.ts'
import { chooseAffordable, limitKeys, type Capacity, type PayerBalance } from './choose-affordable.ts'
import { prepareSingles, type PreparedSingle } from './prepare-singles.ts'
import type { SingleAnswer, SingleSend } from './single-send.ts'

/**
 * Why messages with these costs, in ledger units, are not accepted, apart from the limits and balances of accounts. The cost of a message
 * includes that of its legs.
 */
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
  const checked = await prepareWithLegs(db, organizationId, sends)
  const costed = checked.flatMap((single) => (single instanceof Problem ? [] : [single]))
  const problems = await refuse(costed.map(({ own, legs }) => sumOf([own, ...legs])))
  const refused = new Map(costed.flatMap(({ own }, index) => (problems[index] ? [[own, problems[index]]] : [])))
  const prepared = costed.flatMap(({ own }) => (refused.has(own) ? [] : [own]))
  const refusals = new Map([...refused, ...(await acceptPrepared(db, organizationId, prepared))])
  await storeLegs(
    db,
    organizationId,
    costed.flatMap(({ own, send, endsAt, legs }) =>
      legs.length === 0 || refusals.has(own) ? [] : [{ messageId: own.id, send, endsAt }],
    ),
  )
  wakeLanes(db)
  return checked.map((single) => answerOf(single, refusals))
}

/** A message, and those that may follow it. */
type Chain = { send: SingleSend; endsAt: Date; own: PreparedSingle; legs: PreparedSingle[] }

/** Each message with its legs, or why one of them cannot be sent. */
async function prepareWithLegs(
  db: Db,
  organizationId: string,
  sends: readonly SingleSend[],
): Promise<(Chain | Problem)[]> {
  const chains = sends.map((send) => {
    const begin = send.sendAt ?? new Date()
    const endsAt = send.expiresAt ?? new Date(begin.getTime() + 86_400_000)
    const legs = send.legs ?? []
    if (legs.length === 0) return { send, endsAt, all: [send] }
    const entrances = legs.map(({ entrance }) => entrance)
    const first = { ...send, expiresAt: expiryBefore(entrances, { begin, endsAt }) }
    return { send, endsAt, all: [first, ...legs.map((leg) => leg.send)] }
  })
  const prepared = await prepareSingles(
    db,
    organizationId,
    chains.flatMap(({ all }) => all),
  )
  let next = 0
  return chains.map(({ send, endsAt, all }): Chain | Problem => {
    const ofChain = prepared.slice(next, (next += all.length))
    const legs: PreparedSingle[] = []
    for (const [index, single] of ofChain.entries()) {
      if (single instanceof Problem) return index === 0 ? single : withinField(single, `legs.${index - 1}`)
      legs.push(single)
    }
    const own = legs.shift()
    if (!own) throw new Error('A message was not prepared')
    return { send, endsAt, own, legs }
  })
}

const sumOf = (singles: readonly PreparedSingle[]) => singles.reduce((sum, { cost }) => sum + cost, 0)

type Refusals = ReadonlyMap<PreparedSingle, Problem>

function answerOf(chain: Chain | Problem, refusals: Refusals): SingleAnswer {
  if (chain instanceof Problem) return { refused: chain }
  const { own, legs } = chain
  const refused = refusals.get(own)
  if (refused) return { refused }
  const priced = ({ entry: { parts }, cost }: PreparedSingle) => ({ parts, cost })
  return { accepted: { messageId: own.id, ...priced(own), legs: legs.map(priced) } }
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
    if ('balances' in shortage)
      capacity.balances.push(...shortage.balances, ...(await readOthers(db, organizationId, { prepared, shortage })))
    else for (const id of shortage.uncovered) capacity.uncovered.add(id)
  }
}

/**
 * The balances of the accounts that the shortage does not name, because none of their messages was chosen. They may share one that it
 * names.
 */
async function readOthers(
  db: Db,
  organizationId: string,
  { prepared, shortage }: { prepared: readonly PreparedSingle[]; shortage: { balances: readonly PayerBalance[] } },
): Promise<PayerBalance[]> {
  const known = new Set(shortage.balances.map(({ accountId }) => accountId))
  const others = [...new Set(prepared.map(({ accountId }) => accountId))].filter((id) => !known.has(id))
  if (others.length === 0) return []
  const { rows } = await sql<{ found: { balances: PayerBalance[] | null } }>`
    select single_balances(${organizationId}::uuid, ${others}::uuid[],
      array(select paying_balance(${organizationId}::uuid, id) from unnest(${others}::uuid[]) with ordinality as payer (id, place)
        order by place)) as found`.execute(db)
  return rows[0]?.found.balances ?? []
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
