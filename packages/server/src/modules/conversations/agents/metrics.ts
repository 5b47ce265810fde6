import type { AgentMetrics, AgentPeriod } from '@carillon/contract/live-agents'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { within } from '../../../db/scope.ts'
import { notFound } from '../../../lib/problem.ts'
import { beginningOf } from './list-agents.ts'

type Wanted = { actor: UserActor; id: string; period: AgentPeriod }

/** What an agent did in a period. Members see what they may monitor, admins and resellers the accounts below them. */
export async function getMetrics(db: Db, { actor, id, period }: Wanted): Promise<AgentMetrics> {
  const organizationId = await findOrganization(db, actor, id)
  const [facts, spans, hours] = [
    await readFacts(db, { organizationId, id, period }),
    await readSpans(db, { organizationId, id, period }),
    await readHours(db, { organizationId, id, period }),
  ]
  return {
    period,
    from: spans.from.toISOString(),
    to: spans.to.toISOString(),
    assigned: facts.assigned,
    opened: facts.opened,
    resolved: facts.resolved,
    reopened: facts.reopened,
    messagesIn: facts.message_in,
    messagesOut: facts.message_out,
    firstResponseTime: presentDurations(facts, 'first_response'),
    responseTime: presentDurations(facts, 'response'),
    resolutionTime: presentDurations(facts, 'resolution'),
    onlineSeconds: spans.online,
    busySeconds: spans.busy,
    transfersIn: facts.transfer_in,
    transfersOut: facts.transfer_out,
    slaBreaches: facts.sla_breach,
    csat: { avg: facts.stars, count: facts.rating },
    byHour: Array.from({ length: 24 }, (_, hour) => {
      const found = hours.find((row) => row.hour === hour)
      return { messagesIn: found?.received ?? 0, messagesOut: found?.sent ?? 0 }
    }),
  }
}

/** A manager's scope is the whole organization, a member's their own account and those below. */
async function findOrganization(db: Db, { scope }: UserActor, id: string): Promise<string> {
  const account = await db
    .selectFrom('accounts')
    .select('organization_id')
    .where('id', '=', id)
    .where(within(scope))
    .executeTakeFirst()
  if (!account) throw notFound('Agent')
  return account.organization_id
}

type Key = { organizationId: string; id: string; period: AgentPeriod }

const counted = [
  'assigned',
  'opened',
  'resolved',
  'reopened',
  'message_in',
  'message_out',
  'transfer_in',
  'transfer_out',
  'sla_breach',
  'rating',
] as const
const timed = ['first_response', 'response', 'resolution'] as const
type Timed = (typeof timed)[number]
type Measures = { count: number; avg: number | null; shares: [number, number] | null }

type Facts = Record<(typeof counted)[number], number> & {
  stars: number | null
} & Record<`${Timed}_clock` | `${Timed}_business`, Measures>

function measure(kind: Timed, { column, name }: { column: string; name: string }): string {
  const where = `filter (where kind = '${kind}' and ${column} is not null)`
  return `json_build_object('count', count(*) ${where}, 'avg', avg(${column}) ${where},
    'shares', percentile_cont(array[0.5, 0.9]) within group (order by ${column}) ${where}) as ${name}`
}

/** What facts of agents add up to. */
export const factColumns = [
  ...counted.map((kind) => `count(*) filter (where kind = '${kind}') as ${kind}`),
  ...timed.flatMap((kind) => [
    measure(kind, { column: 'seconds', name: `${kind}_clock` }),
    measure(kind, { column: 'business_seconds', name: `${kind}_business` }),
  ]),
  `(avg(seconds) filter (where kind = 'rating'))::float8 as stars`,
].join(', ')

const of = ({ organizationId, id, period }: Key) =>
  sql`organization_id = ${organizationId}::uuid and account_id = ${id}::uuid and at >= ${beginningOf(organizationId, period)}`

async function readFacts(db: Db, key: Key): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select ${sql.raw(factColumns)} from agent_facts where ${of(key)}`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('An aggregate has a row')
  return facts
}

function presentDurations(facts: Facts, kind: Timed) {
  return {
    clock: presentMeasures(facts[`${kind}_clock`]),
    businessHours: presentMeasures(facts[`${kind}_business`]),
  }
}

function presentMeasures({ count, avg, shares }: Measures) {
  const round = (value: number | null | undefined) => (value === null || value === undefined ? null : Math.round(value))
  return { count, avg: round(avg), p50: round(shares?.[0]), p90: round(shares?.[1]) }
}

async function readSpans(db: Db, { organizationId, id, period }: Key) {
  const { rows } = await sql<{ from: Date; to: Date; online: number; busy: number }>`
    select period.since as from, now() as to, coalesce(sum(span.seconds) filter (where availability = 'online'), 0)::int as online,
      coalesce(sum(span.seconds) filter (where availability = 'busy'), 0)::int as busy
    from (select ${beginningOf(organizationId, period)} as since) period
    left join lateral (
      select availability, extract(epoch from coalesce(ended_at, now()) - greatest(began_at, period.since)) as seconds
      from live_agent_spans where organization_id = ${organizationId}::uuid and account_id = ${id}::uuid
        and (ended_at is null or ended_at > period.since)) span on true
    group by period.since`.execute(db)
  const [spans] = rows
  if (!spans) throw new Error('A period has a row')
  return spans
}

async function readHours(db: Db, key: Key) {
  const { rows } = await sql<{ hour: number; received: number; sent: number }>`
    select extract(hour from at at time zone inbox_timezone(${key.organizationId}::uuid))::int as hour,
      count(*) filter (where kind = 'message_in') as received, count(*) filter (where kind = 'message_out') as sent
    from agent_facts where ${of(key)} and kind in ('message_in', 'message_out') group by 1`.execute(db)
  return rows
}
