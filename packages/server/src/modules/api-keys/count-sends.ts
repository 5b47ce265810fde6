import type { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'
import { formatRupees, toUnits } from '../balance/index.ts'
import { notify } from '../notifications/index.ts'

type SpendLimit = 'maxPerMessage' | 'maxPerHour' | 'maxPerDay' | 'maxPerMonth'
type SendLimit = 'messagesPerSecond' | 'messagesPerDay' | SpendLimit

type Counted = { refused: (SendLimit | null)[]; crossed: SpendLimit[]; windows: string[] }

/**
 * Counts messages that are accepted in this transaction against the limits of their API key. `costs` are the amounts to be held, in
 * ledger units. Returns the problem of each message that exceeds a limit; the others are counted, and later ones may still fit.
 * The counters stay locked until the transaction ends: call before anything of the organisation is locked.
 */
export async function countSends(
  db: Db,
  actor: Pick<UserActor, 'organizationId' | 'accountId' | 'apiKey'>,
  costs: readonly number[],
): Promise<(Problem | undefined)[]> {
  const { apiKey } = actor
  if (!apiKey?.config || !hasLimits(apiKey.config) || costs.length === 0) return costs.map(() => undefined)
  const { config, id } = apiKey
  const { rate, spend } = config
  const units = (rupees: number | undefined) => (rupees === undefined ? null : toUnits(rupees))
  const { rows } = await sql<Counted>`
    select refused, crossed, windows from count_key_sends(${actor.organizationId}::uuid, ${id}::uuid, ${[...costs]}::bigint[],
      ${rate.messagesPerSecond ?? null}::bigint, ${rate.messagesPerDay ?? null}::bigint, ${units(spend.maxPerMessage)}::bigint,
      ${units(spend.maxPerHour)}::bigint, ${units(spend.maxPerDay)}::bigint, ${units(spend.maxPerMonth)}::bigint,
      ${spend.onLimit === 'reject'})`.execute(db)
  const [counted] = rows
  if (!counted) throw new Error('The messages of an API key were not counted')
  await alert(db, actor, { id, config, counted })
  return counted.refused.map((limit) => (limit ? refusals[limit](config) : undefined))
}

function hasLimits({ rate, spend }: KeyConfigPayload): boolean {
  const { onLimit: _, ...amounts } = spend
  const limits = [rate.messagesPerSecond, rate.messagesPerDay, ...Object.values(amounts)]
  return limits.some((limit) => limit !== undefined)
}

/** Notifies the owner once of each limit and period. */
async function alert(
  db: Db,
  { organizationId, accountId }: Pick<UserActor, 'organizationId' | 'accountId'>,
  { id, config, counted }: { id: string; config: KeyConfigPayload; counted: Counted },
): Promise<void> {
  await notify(
    db,
    counted.crossed.map((limit, index) => ({
      organizationId,
      accountId,
      kind: 'key_limit_exceeded',
      title: 'An API key exceeded its spending limit',
      description: `${config.binding.name}: more than ${describe(config, limit)} ${spans[limit]}. Its messages are still sent.`,
      eventKey: `key_limit_exceeded:${id}:${limit}:${counted.windows[index]}`,
    })),
  )
}

const spans: Record<SpendLimit, string> = {
  maxPerMessage: 'for one message',
  maxPerHour: 'in one hour',
  maxPerDay: 'in one day',
  maxPerMonth: 'in one month',
}

function describe({ spend }: KeyConfigPayload, limit: SpendLimit): string {
  return `₹${formatRupees(toUnits(spend[limit] ?? 0))}`
}

const refusals: Record<SendLimit, (config: KeyConfigPayload) => Problem> = {
  messagesPerSecond: ({ rate }) =>
    new Problem('too_many_requests', `This API key may send ${rate.messagesPerSecond} messages a second`, {
      retryAfter: 1,
    }),
  messagesPerDay: ({ rate }) =>
    exceeded('messagesPerDay', `${grouped.format(rate.messagesPerDay ?? 0)} messages a day`),
  maxPerMessage: (config) => exceeded('maxPerMessage', `${describe(config, 'maxPerMessage')} for one message`),
  maxPerHour: (config) => exceeded('maxPerHour', `${describe(config, 'maxPerHour')} an hour`),
  maxPerDay: (config) => exceeded('maxPerDay', `${describe(config, 'maxPerDay')} a day`),
  maxPerMonth: (config) => exceeded('maxPerMonth', `${describe(config, 'maxPerMonth')} a month`),
}

const grouped = new Intl.NumberFormat('en-IN')

function exceeded(field: SendLimit, limit: string): Problem {
  return new Problem('limit_exceeded', `The limit of ${limit} of this API key would be exceeded`, {
    details: [{ field, message: limit }],
  })
}
