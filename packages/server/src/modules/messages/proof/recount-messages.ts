import type { Queryable } from '../statements.ts'
import { countMessages, dayOfMessage, provedColumns, provedNumbers, sumFigures } from './recount.queries.ts'

type Grain = {
  table: 'leg_days' | 'single_days'
  keys: readonly string[]
  /** Further columns, which the keys determine. */
  others?: readonly string[]
  /** Messages of the partition with the keys. */
  messages: string
  /** Which rows of the table and of the deltas are figures of these messages. */
  own: string
  deltas: string
}

const ofCampaign = (table: string) =>
  `join campaigns campaign on campaign.organization_id = ${table}.organization_id and campaign.id = ${table}.campaign_id`

const grains: readonly Grain[] = [
  {
    table: 'leg_days',
    keys: ['organization_id', 'campaign_id', 'leg', 'day'],
    messages: `select message.organization_id, message.campaign_id, message.leg, ${dayOfMessage} as day, ${countMessages}
      from messages message ${ofCampaign('message')} where message.created_on = $1 group by 1, 2, 3, 4`,
    own: `select figures.organization_id, campaign_id, leg, day from leg_days figures ${ofCampaign('figures')} where campaign.created_on = $1`,
    deltas: `select figures.organization_id, campaign_id, leg, coalesce(left_on, campaign.created_on) as day, ${sumFigures}
      from counter_deltas figures ${ofCampaign('figures')} where campaign.created_on = $1 group by 1, 2, 3, 4`,
  },
  {
    table: 'single_days',
    keys: ['organization_id', 'day', 'created_on', 'account_id', 'sender_id', 'kind', 'category', 'country'],
    others: ['channel'],
    messages: `select message.organization_id, ${dayOfMessage} as day, message.created_on, hold.account_id, message.sender_id,
        coalesce(hold.kind, '') as kind, coalesce(hold.category, '') as category, coalesce(hold.country, '') as country,
        sender.channel, ${countMessages}
      from messages message
      join holds hold on hold.organization_id = message.organization_id and hold.op_key = 'single:' || message.campaign_id
      join senders sender on sender.organization_id = message.organization_id and sender.id = message.sender_id
      where message.created_on = $1 group by 1, 2, 3, 4, 5, 6, 7, 8, 9`,
    own: `select organization_id, day, created_on, account_id, sender_id, kind, category, country, channel from single_days where created_on = $1`,
    deltas: `select organization_id, coalesce(left_on, created_on) as day, created_on, account_id, sender_id, kind, category, country, channel,
        ${sumFigures}
      from counter_deltas figures where created_on = $1 group by 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  },
]

/**
 * Sets the figures of a partition to what its messages say, without what is not folded yet. Refunds are kept as they are known, because
 * messages say only what was paid in the end.
 */
function recount({ table, keys, others = [], messages, own, deltas }: Grain): string {
  const columns = [...keys, ...others].join(', ')
  const difference = (name: string) => `coalesce(found.${name}, 0) - coalesce(pending.${name}, 0)`
  return `
    with found as (${messages}), pending as (${deltas}), keyed as (
      select ${columns} from found union select ${columns} from pending union ${own}
    )
    insert into ${table} (${columns}, ${provedNumbers.join(', ')}, cost)
    select ${columns}, ${provedColumns.map(difference).join(', ')}
    from keyed left join found using (${columns}) left join pending using (${columns})
    order by ${keys.join(', ')}
    on conflict (${keys.join(', ')}) do update set
      ${provedNumbers.map((name) => `${name} = excluded.${name}`).join(', ')}, cost = excluded.cost + ${table}.refunded`
}

/** Sets the counters of campaigns to the sums of their days. Refunds and replies are kept. */
const sumCampaigns = `
  insert into counters (organization_id, campaign_id, leg, ${provedNumbers.join(', ')}, cost)
  select figures.organization_id, campaign_id, leg, ${sumFigures} from leg_days figures ${ofCampaign('figures')}
  where campaign.created_on = $1 group by 1, 2, 3 order by 1, 2, 3
  on conflict (organization_id, campaign_id, leg) do update set
    ${provedNumbers.map((name) => `${name} = excluded.${name}`).join(', ')}, cost = excluded.cost + counters.refunded`

const recounts = grains.map(recount)

/** In the caller's transaction, which keeps counters from being folded until it ends. */
export async function recountMessages(db: Queryable, createdOn: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('carillon.fold'))`)
  for (const statement of recounts) await db.query(statement, [createdOn])
}

/** The same, and the counters of the campaigns of these messages. */
export async function recountCampaigns(db: Queryable, createdOn: string): Promise<void> {
  await recountMessages(db, createdOn)
  await db.query(sumCampaigns, [createdOn])
}
