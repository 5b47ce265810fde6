/**
 * The limit of the second part of `api`: the least that answers its four calls. Fastify, one prepared statement for each call,
 * no session, no transaction, no row level security, no checks. Started as a process of its own, as the product is.
 */
import Fastify from 'fastify'
import pg from 'pg'

/** Counts and money of a campaign, of what was folded and what was not yet. */
const numbers = `(select to_json(counted) from (
  select sum(submitted) as submitted, sum(sent) as sent, sum(delivered) as delivered, sum(read) as read, sum(failed) as failed,
    sum(skipped) as skipped, sum(unknown) as unknown, sum(unconfirmed) as unconfirmed, sum(replied) as replied, sum(parts) as parts,
    sum(cost) as cost, sum(refunded) as refunded
  from (
    select submitted, sent, delivered, read, failed, skipped, unknown, unconfirmed, replied, parts, cost, refunded
    from counters where organization_id = campaign.organization_id and campaign_id = campaign.id
    union all
    select submitted, sent, delivered, read, failed, skipped, unknown, unconfirmed, replied, parts, cost, refunded
    from counter_deltas where organization_id = campaign.organization_id and campaign_id = campaign.id
  ) kept
) counted) as stats`

const fields = `campaign.id as "_id", campaign.name as "campaignName", campaign.channel, campaign.status, campaign.pause_reason as "pauseReason",
  campaign.audience_id as "audienceId", campaign.is_test as "isTest", campaign.timezone, campaign.created_at as "createdAt",
  campaign.schedule_at as "startAt", campaign.started_at as "startedAt", campaign.completed_at as "completedAt", campaign.total,
  sender.id as "senderId", sender.name as "accountName", template.id as "templateId", template.name as "templateName",
  leg.content ->> 'header' as header, template.category, audience.file_name as "fileName", creator.username as "createdBy"`

const names = `left join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id and leg.leg = 0
  left join senders sender on sender.organization_id = campaign.organization_id and sender.id = leg.sender_id
  left join templates template on template.organization_id = campaign.organization_id and template.id = leg.template_id
  left join audiences audience on audience.organization_id = campaign.organization_id and audience.id = campaign.audience_id
  left join accounts creator on creator.id = campaign.created_by`

const list = `select ${fields}, ${numbers},
    (select json_object_agg(status, count) from (
      select status, count(*) from campaigns where organization_id = $1 and channel = 'sms' and not is_test group by status) counts) as "statusCounts"
  from (
    select * from campaigns where organization_id = $1 and channel = 'sms' and not is_test order by created_at desc, id desc limit 10
  ) campaign
  ${names}
  order by campaign.created_at desc, campaign.id desc`

const detail = `select ${fields}, ${numbers}, leg.content ->> 'body' as body, sender.rate_per_second as "ratePerSecond", hold.amount as held,
    (select json_agg(event order by event.at) from campaign_events event
      where event.organization_id = campaign.organization_id and event.campaign_id = campaign.id) as timeline,
    (select json_agg(groups) from (
      select reason, code, status, count(*) from messages
      where organization_id = campaign.organization_id and campaign_id = campaign.id and created_on = campaign.created_on
        and reason is not null and status in ('failed', 'skipped')
      group by 1, 2, 3) groups) as failures,
    (select json_agg(point order by point.at) from counter_points point
      where point.organization_id = campaign.organization_id and point.campaign_id = campaign.id) as "overTime"
  from campaigns campaign
  ${names}
  left join holds hold on hold.organization_id = campaign.organization_id and hold.id = campaign.hold_id
  where campaign.organization_id = $1 and campaign.id = $2`

const balance = `select posted, held, posted - held as available from ledger_accounts
  where organization_id = $1 and account_id = $1 and kind = 'balance' and closed_at is null`

const profile = `select account.id as "_id", account.username, account.email, account.name, account.phone, account.role as type, account.status,
    account.timezone, account.preferences, account.totp_confirmed_at is not null as "hasTotp", account.created_at as "createdAt",
    organization.name as organization, above.name as "accountManager",
    (select json_agg(visit) from (
      select created_at, ended_at from sessions
      where organization_id = account.organization_id and account_id = account.id and actor_id is not null and created_at > now() - interval '24 hours') visit
    ) as "visitedBy"
  from accounts account
  left join accounts organization on organization.id = account.organization_id
  left join accounts above on above.id = account.parent_id
  where account.id = $1`

const [databaseUrl = '', organizationId = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 })
const app = Fastify()

app.get('/campaigns', async () => {
  const { rows } = await pool.query({ name: 'list', text: list, values: [organizationId] })
  return { success: true, message: 'OK', campaigns: rows }
})
app.get<{ Params: { id: string } }>('/campaigns/:id', async ({ params }) => {
  const { rows } = await pool.query({ name: 'detail', text: detail, values: [organizationId, params.id] })
  return { success: true, message: 'OK', data: rows[0] as object }
})
app.get('/balance', async () => {
  const { rows } = await pool.query({ name: 'balance', text: balance, values: [organizationId] })
  return { success: true, message: 'OK', data: rows[0] as object }
})
app.get('/profile', async () => {
  const { rows } = await pool.query({ name: 'profile', text: profile, values: [organizationId] })
  return { success: true, message: 'OK', data: rows[0] as object }
})

console.log(`Bare is at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
