import { sql } from 'kysely'
import { asSystem } from '@carillon/server/db/pool'
import { checkInvariants } from '@carillon/server/modules/balance/index'
import { failoverNumbers } from '@carillon/server/modules/messages/reads/failover-numbers'
import type { Channel } from '@carillon/contract/channels'
import { findWrongFigures } from './prove.ts'
import { silent } from './whatsapp.ts'
import type { World } from './world.ts'

export type Verdict = {
  recipients: number
  /** Recipients that have a message. */
  rows: number
  /** Messages by channel and status. */
  byStatus: Record<string, number>
  /** Phones that received something. */
  received: number
  /** Numbers that received the same leg more than once. */
  duplicated: number
  /** Recorded as sent or delivered, but not received by a phone. */
  lost: number
  /** Recorded as failed, but received by a phone. */
  contradicted: number
  /** Phones that received it over more than one channel. */
  both: number
  complaints: string[]
}

type Question = {
  campaignId: string
  phones: string[]
  /** Counts only entries after this position of the handset log. */ since: number
}

type Row = { phone: number; channel: Channel; status: string }

/** Compares the database with the simulator's log of what phones received. */
export async function judge(world: World, { campaignId, phones, since }: Question): Promise<Verdict> {
  const received = await countReceived(world, { phones: new Set(phones), since })
  const rows = await readMessages(world, campaignId)
  const byStatus: Record<string, number> = {}
  for (const { channel, status } of rows) byStatus[`${channel} ${status}`] = (byStatus[`${channel} ${status}`] ?? 0) + 1

  const arrivals = ({ phone, channel }: Row) => received.get(`+${phone} ${channel}`) ?? 0
  const wrong = (statuses: readonly string[], hasArrived: boolean) =>
    rows.filter((row) => statuses.includes(row.status) && arrivals(row) > 0 === hasArrived)
  const channels = [...new Set(rows.map(({ channel }) => channel))]
  const reachedOver = new Map(
    phones.map((phone) => [phone, channels.filter((channel) => received.has(`${phone} ${channel}`))]),
  )
  const reachedBy = (channel: Channel) => phones.filter((phone) => reachedOver.get(phone)?.includes(channel))
  const verdict = {
    recipients: phones.length,
    rows: new Set(rows.map(({ phone }) => phone)).size,
    byStatus,
    received: phones.filter((phone) => reachedOver.get(phone)?.length).length,
    duplicated: [...received.values()].filter((count) => count > 1).length,
    lost: wrong(['sent', 'delivered', 'read'], false).filter((row) => !isSilent(row)).length,
    contradicted: wrong(['failed', 'skipped', 'cancelled'], true).length,
    both: phones.filter((phone) => (reachedOver.get(phone)?.length ?? 0) > 1).length,
  }
  const counted = await failover(world, campaignId)
  const complaints = [
    ...complain(verdict),
    ...complainOfUnknown(wrong(['unknown', 'unconfirmed'], true)),
    ...complainOfFailover(verdict, { counted, rows, overSms: new Set(reachedBy('sms')) }),
    ...(await recount(world, campaignId)),
    ...(await asSystem(world.database(), (db) => checkInvariants(db))),
    ...(await findWrongFigures(world.database())),
  ]
  return { ...verdict, complaints }
}

/** Accepted by Meta and never shown on the phone: `sent` is correct. */
function isSilent({ phone, channel, status }: Row): boolean {
  return channel === 'whatsapp' && status === 'sent' && String(phone).endsWith(silent)
}

async function readMessages(world: World, campaignId: string): Promise<Row[]> {
  const { rows } = await asSystem(world.database(), (db) =>
    sql<Row>`
      select message.phone, leg.channel::text, message.status::text from messages message
      join campaign_legs leg on leg.organization_id = message.organization_id and leg.campaign_id = message.campaign_id and leg.leg = message.leg
      where message.organization_id = ${world.organizationId}::uuid and message.campaign_id = ${campaignId}::uuid`.execute(
      db,
    ),
  )
  return rows
}

async function failover(world: World, campaignId: string) {
  const key = { organizationId: world.organizationId, campaignIds: [campaignId] }
  const numbers = (await asSystem(world.database(), (db) => failoverNumbers(db, key))).get(campaignId)
  return { entered: numbers?.entered ?? 0, sent: numbers?.sent ?? 0, both: numbers?.both ?? 0 }
}

function complain(verdict: Omit<Verdict, 'complaints'>): string[] {
  return [
    verdict.rows === verdict.recipients ? '' : `${verdict.recipients - verdict.rows} recipients have no result`,
    verdict.duplicated === 0 ? '' : `${verdict.duplicated} phones got the message more than once`,
    verdict.lost === 0 ? '' : `${verdict.lost} messages are said to be sent, but no phone got them`,
    verdict.contradicted === 0 ? '' : `${verdict.contradicted} messages are said to have failed, but a phone got them`,
  ].filter(Boolean)
}

/** Reports of Meta and Google carry our reference, so a lost response must not leave a message unknown. */
function complainOfUnknown(arrived: readonly Row[]): string[] {
  const untold = arrived.filter(({ channel }) => channel !== 'sms').length
  return untold === 0 ? [] : [`${untold} messages arrived and were reported, but are said to be unknown`]
}

type GoneOn = {
  counted: { entered: number; sent: number; both: number }
  rows: readonly Row[]
  overSms: ReadonlySet<string>
}

/** Recipients that the other channels do not reach failed over, no SMS is unaccounted for, and recipients reached twice are counted. */
function complainOfFailover(verdict: Omit<Verdict, 'complaints'>, { counted, rows, overSms }: GoneOn): string[] {
  const first = rows.filter(({ channel }) => channel !== 'sms')
  if (first.length === 0) return []
  const bySms = new Set(rows.filter(({ channel }) => channel === 'sms').map(({ phone }) => phone))
  const notFailed = new Set(first.filter(({ status }) => status !== 'failed').map(({ phone }) => phone))
  const failedPhones = new Set(first.map(({ phone }) => phone).filter((phone) => !notFailed.has(phone)))
  const stranded = [...failedPhones].filter((phone) => !bySms.has(phone)).length
  const unseen = [...overSms].filter((phone) => !bySms.has(Number(phone.slice(1)))).length
  return [
    stranded === 0 ? '' : `${stranded} people were not reached and did not get an SMS`,
    unseen === 0 ? '' : `${unseen} phones got an SMS of which the database knows nothing`,
    counted.entered === counted.sent ? '' : `${counted.entered - counted.sent} people were to fail over and did not`,
    verdict.both <= counted.both ? '' : `${verdict.both} phones got two messages, but ${counted.both} were counted`,
  ].filter(Boolean)
}

/** Compares the counters with a recount of the messages. */
async function recount(world: World, campaignId: string): Promise<string[]> {
  const { rows } = await asSystem(world.database(), (db) =>
    sql<{ leg: number; counted: string; found: string }>`
      with counted as (
        select leg, sum(sent) as sent, sum(delivered) as delivered, sum(read) as read, sum(failed) as failed, sum(cost - refunded) as cost from (
          select leg, sent, delivered, read, failed, cost, refunded from counters where campaign_id = ${campaignId}::uuid
          union all select leg, sent, delivered, read, failed, cost, refunded from counter_deltas where campaign_id = ${campaignId}::uuid
        ) both_kinds group by leg
      ), found as (
        select leg, count(*) filter (where status = 'sent') as sent, count(*) filter (where status = 'delivered') as delivered,
          count(*) filter (where status = 'read') as read, count(*) filter (where status = 'failed') as failed,
          sum(charge_of(status, price, billable_on)) as cost
        from messages where campaign_id = ${campaignId}::uuid group by leg
      )
      select leg, (counted.sent, counted.delivered, counted.read, counted.failed, counted.cost)::text as counted,
        (found.sent, found.delivered, found.read, found.failed, found.cost)::text as found
      from counted full join found using (leg)`.execute(db),
  )
  return rows
    .filter(({ counted, found }) => counted !== found)
    .map(({ leg, counted, found }) => `leg ${leg} counts ${counted}, its messages are ${found}`)
}

type Page = { messages: { number: string; channel: string; sequence: number }[]; next: number }

async function readPage(world: World, since: number): Promise<Page> {
  const answer = await fetch(`http://127.0.0.1:${world.simulatorPorts.http}/api/received?since=${since}&limit=5000`)
  return (await answer.json()) as Page
}

/** The current end of the handset log. */
export async function lastArrival(world: World): Promise<number> {
  for (let since = 0; ;) {
    const page = await readPage(world, since)
    if (page.messages.length === 0) return since
    since = page.next
  }
}

/** Number of messages by phone and channel. */
async function countReceived(
  world: World,
  { phones, since: from }: { phones: ReadonlySet<string>; since: number },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let since = from; ;) {
    const page = await readPage(world, since)
    if (page.messages.length === 0) return counts
    for (const { number, channel } of page.messages) {
      const key = `+${number} ${channel}`
      if (phones.has(`+${number}`)) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    since = page.next
  }
}
