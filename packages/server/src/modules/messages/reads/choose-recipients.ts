import type { MessageStatus } from '@carillon/contract/campaign-records'
import type { LegResult } from '@carillon/contract/campaign-records'
import { sql, type RawBuilder } from 'kysely'
import { wasAccepted } from '../reports/was-accepted.ts'
import { expiredReasons } from './leg-numbers.ts'
import type { ListedCampaign, ListedLeg } from './listed-campaign.ts'
import { isOutranked, isOutrankedByTry } from './outranked.ts'

/** Which recipients of a campaign are listed; those of a leg with the message of that leg. */
export type RecipientFilter = {
  status?: MessageStatus | undefined
  /** Position in the draft. Alone: recipients whose last message is of this leg, or will be. */
  leg?: number | undefined
  /** The recipients counted by this number of the leg, or without a leg, of the campaign. */
  result?: LegResult | undefined
  /** Recipients with delivered messages of two or more legs. */
  both?: 'true' | undefined
  /** Recipients who clicked a tracked link. */
  clicked?: 'true' | undefined
}

type Choice = RecipientFilter & { number?: RawBuilder<boolean> | undefined }

/** A query for the positions of recipients, each once, and the leg whose message is listed; null: not begun. Not ordered. */
export function chooseRecipients(
  campaign: ListedCampaign,
  { leg, result, both, ...more }: Choice,
): RawBuilder<unknown> {
  if (both) return narrow(campaign, secondDelivered(campaign), more)
  if (leg === undefined) return result ? narrow(campaign, ofResult(campaign, result), more) : everyone(campaign, more)
  const own = { campaign, legs: campaign.legs.filter(({ draftLeg }) => draftLeg === leg) }
  return narrow(campaign, result ? choices[result](own) : lastSent(own), more)
}

/** A page of them in the order of the audience. */
export function pageOf(
  choice: RawBuilder<unknown>,
  { after, limit, offset = 0 }: { after: number; limit: number; offset?: number },
): RawBuilder<unknown> {
  return sql`select seq, leg from (${choice}) choice where seq > ${after} order by seq limit ${limit} offset ${offset}`
}

/** A recipient without a message is queued still, or was cancelled with its campaign. */
export function waitingStatus({ isStopped }: ListedCampaign): MessageStatus {
  return isStopped ? 'cancelled' : 'queued'
}

export function statusOf(campaign: ListedCampaign): RawBuilder<MessageStatus> {
  return sql`coalesce(message.status, ${waitingStatus(campaign)}::message_status)`
}

/** Joins the message of a leg; a campaign that has not begun has none. */
export function ofCampaign({ organizationId, campaignId, createdOn }: ListedCampaign): RawBuilder<boolean> {
  return sql<boolean>`message.organization_id = ${organizationId}::uuid and message.campaign_id = ${campaignId}::uuid
    and message.created_on = ${createdOn}::date`
}

type Narrowing = Pick<Choice, 'status' | 'number' | 'clicked'>

/**
 * All recipients, with the message by which each counts, or the leg that a recipient waits for. Of a number, of clicks or without a status
 * each recipient's messages are searched for, so that a page is as fast without statistics of a new day's partition.
 */
function everyone(campaign: ListedCampaign, { status, number, clicked }: Narrowing): RawBuilder<unknown> {
  if (status && !number && !clicked) return waitingOrWith(campaign, status)
  const { organizationId, campaignId, audienceId } = campaign
  return sql`
    select recipient.seq, case when best.status in ('delivered', 'read') then best.leg else coalesce(waits.leg, best.leg) end as leg
    from recipients recipient
    ${clicked ? sql`join campaign_clickers clicker on ${ofClicker(campaign)} and clicker.seq = recipient.seq` : sql``}
    left join lateral (
      select message.leg, message.status from messages message where ${ofCampaign(campaign)} and message.seq = recipient.seq
      order by case when message.status in ('delivered', 'read') then message.status end desc nulls last, message.leg desc limit 1
    ) best on true
    left join lateral (
      select entry.leg from leg_entries entry
      where entry.organization_id = ${organizationId}::uuid and entry.campaign_id = ${campaignId}::uuid and entry.seq = recipient.seq
        and entry.after = 'queued' limit 1
    ) waits on true
    where recipient.organization_id = ${organizationId}::uuid and recipient.audience_id = ${audienceId}::uuid
      and ${number ?? sql`true`} and ${status ? sql`${bestStatus(campaign)} = any(${statusesFor(status)}::message_status[])` : sql`true`}`
}

function ofClicker({ organizationId, campaignId }: ListedCampaign): RawBuilder<boolean> {
  return sql<boolean>`clicker.organization_id = ${organizationId}::uuid and clicker.campaign_id = ${campaignId}::uuid`
}

/** Joins the first click of the recipient of a row of `chosen`. */
export function joinClicker(campaign: ListedCampaign): RawBuilder<unknown> {
  return sql`left join campaign_clickers clicker on ${ofClicker(campaign)} and clicker.seq = chosen.seq`
}

function bestStatus(campaign: ListedCampaign): RawBuilder<MessageStatus> {
  return sql`case when best.status in ('delivered', 'read') or (best.status is not null and waits.leg is null) then best.status
    else ${waitingStatus(campaign)}::message_status end`
}

/** By the message by which each recipient counts. */
function withStatus(campaign: ListedCampaign, statuses: readonly MessageStatus[]): RawBuilder<unknown> {
  return sql`select message.seq, message.leg from messages message
    where ${ofCampaign(campaign)} and message.status = any(${statuses}::message_status[]) and ${isOutranked(campaign)} is null`
}

function waitingOrWith(campaign: ListedCampaign, status: MessageStatus): RawBuilder<unknown> {
  const messages = withStatus(campaign, statusesFor(status))
  if (status !== waitingStatus(campaign)) return messages
  const { organizationId, campaignId, audienceId } = campaign
  return sql`${messages}
    union all
    select entry.seq, entry.leg from leg_entries entry
    where entry.organization_id = ${organizationId}::uuid and entry.campaign_id = ${campaignId}::uuid and entry.after = 'queued'
      and entry.earlier not in ('delivered', 'read')
    union all
    select recipient.seq, null::smallint from recipients recipient
    where recipient.organization_id = ${organizationId}::uuid and recipient.audience_id = ${audienceId}::uuid
      and (select message.leg from messages message where ${ofCampaign(campaign)} and message.seq = recipient.seq limit 1) is null`
}

/** A lost response is unknown before it is unconfirmed: the filter `unconfirmed` includes both, as the counts do. */
export function statusesFor(status: MessageStatus): MessageStatus[] {
  return status === 'unconfirmed' ? ['unknown', 'unconfirmed'] : [status]
}

function narrow(
  campaign: ListedCampaign,
  choice: RawBuilder<unknown>,
  { status, number, clicked }: Narrowing,
): RawBuilder<unknown> {
  if (!status && !number && !clicked) return choice
  const { organizationId, audienceId } = campaign
  const ofNumber = sql`chosen.seq = any(array(select recipient.seq from recipients recipient
    where recipient.organization_id = ${organizationId}::uuid and recipient.audience_id = ${audienceId}::uuid and ${number}))`
  const ofStatus = sql`coalesce((select message.status from messages message
    where ${ofCampaign(campaign)} and message.seq = chosen.seq and message.leg = chosen.leg), ${waitingStatus(campaign)}::message_status)
    = any(${status ? statusesFor(status) : []}::message_status[])`
  // One index search for each, whatever the statistics say.
  const hasClicked = sql`(select true from campaign_clickers clicker where ${ofClicker(campaign)} and clicker.seq = chosen.seq)`
  return sql`select chosen.seq, chosen.leg from (${choice}) chosen
    where ${number ? ofNumber : sql`true`} and ${status ? ofStatus : sql`true`} and ${clicked ? hasClicked : sql`true`}`
}

/** Of all legs together. */
function ofResult(campaign: ListedCampaign, result: LegResult): RawBuilder<unknown> {
  const statuses = resultStatuses[result]
  return statuses ? withStatus(campaign, statuses) : choices[result]({ campaign, legs: campaign.legs })
}

/** Results that are statuses of the message by which a recipient counts. */
export const resultStatuses: Partial<Record<LegResult, readonly MessageStatus[]>> = {
  delivered: ['delivered', 'read'],
  read: ['read'],
  failed: ['failed'],
  skipped: ['skipped'],
}

/** The legs that were made of one leg of the draft. */
type OfLeg = { campaign: ListedCampaign; legs: readonly ListedLeg[] }

const choices: Record<LegResult, (own: OfLeg) => RawBuilder<unknown>> = {
  starters,
  entered: (own) => entriesOf(own, ({ isLater }) => !isLater),
  sent: (own) => messagesOf(own, sql`${wasAccepted('message')} and not ${isAcceptedAgain(own)}`),
  delivered: (own) => lastTries(own, sql`message.status in ('delivered', 'read')`),
  read: (own) => lastTries(own, sql`message.status = 'read'`),
  failed: (own) => lastTries(own, sql`message.status = 'failed'`),
  expired: (own) => lastTries(own, sql`message.status = 'failed' and message.reason = any(${expiredReasons}::text[])`),
  // As in the numbers of a leg, without those who are held out of its test.
  skipped: (own) => lastTries(own, sql`message.status = 'skipped' and message.reason is distinct from 'held_out'`),
}

function messagesOf({ campaign, legs }: OfLeg, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select message.seq, message.leg from messages message
    where ${ofCampaign(campaign)} and message.leg = any(${numbersOf(legs)}::smallint[]) and ${where}`
}

function numbersOf(legs: readonly ListedLeg[]): number[] {
  return legs.map(({ leg }) => leg)
}

/** By the try that counts. A leg without tries later on needs no check. */
function lastTries(own: OfLeg, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return messagesOf(own, hasTries(own) ? sql`${where} and ${isOutrankedByTry(own.campaign)} is null` : where)
}

function hasTries({ legs }: OfLeg): boolean {
  return legs.some(({ isLater }) => isLater)
}

function isAcceptedAgain(own: OfLeg): RawBuilder<unknown> {
  if (!hasTries(own) && new Set(own.legs.map(({ draftLeg }) => draftLeg)).size < 2) return sql`false`
  const { organizationId, campaignId, createdOn } = own.campaign
  return sql`exists (
    select from messages again
    where again.organization_id = ${organizationId}::uuid and again.campaign_id = ${campaignId}::uuid and again.created_on = ${createdOn}::date
      and again.seq = message.seq and again.leg > message.leg and again.leg = any(${numbersOf(own.legs)}::smallint[])
      and ${wasAccepted('again')})`
}

function entriesOf({ campaign, legs }: OfLeg, which: (leg: ListedLeg) => boolean): RawBuilder<unknown> {
  const { organizationId, campaignId } = campaign
  return sql`select entry.seq, entry.leg from leg_entries entry
    where entry.organization_id = ${organizationId}::uuid and entry.campaign_id = ${campaignId}::uuid
      and entry.leg = any(${numbersOf(legs.filter(which))}::smallint[])`
}

/** Recipients that no later leg follows, with a message or waiting for it. */
function lastSent(own: OfLeg): RawBuilder<unknown> {
  const { organizationId, campaignId } = own.campaign
  const isLast = sql`(select true from leg_entries entry where entry.organization_id = ${organizationId}::uuid
    and entry.campaign_id = ${campaignId}::uuid and entry.seq = message.seq and entry.leg > message.leg limit 1) is null`
  return sql`${messagesOf(own, isLast)} union all ${entriesOf(own, () => true)} and entry.after = 'queued'`
}

function secondDelivered({ organizationId, campaignId }: ListedCampaign): RawBuilder<unknown> {
  return sql`select entry.seq, entry.leg from leg_entries entry
    where entry.organization_id = ${organizationId}::uuid and entry.campaign_id = ${campaignId}::uuid and entry.is_second`
}

/** From the members of the legs that nothing leads to: each bit is a recipient. A leg without members is for all of its range. */
function starters({ campaign, legs }: OfLeg): RawBuilder<unknown> {
  const { organizationId, campaignId, total } = campaign
  const starting = legs.filter(({ isStart }) => isStart)
  return sql`
    select place as seq, own.leg
    from unnest(${numbersOf(starting)}::smallint[], ${starting.map(({ lo }) => lo ?? 0)}::int[], ${starting.map(({ hi }) => hi ?? total)}::int[])
      as own (leg, lo, hi)
    cross join lateral (
      select member.block * 1024 + bit as place
      from leg_members member cross join generate_series(0, 1023) bit
      where member.organization_id = ${organizationId}::uuid and member.campaign_id = ${campaignId}::uuid and member.leg = own.leg
        and get_bit(member.members, bit) = 1
      union all
      select place from generate_series(own.lo, own.hi - 1) place
      where not exists (select from leg_members member where member.organization_id = ${organizationId}::uuid
        and member.campaign_id = ${campaignId}::uuid and member.leg = own.leg)
    ) chosen
    where place >= own.lo and place < own.hi`
}
