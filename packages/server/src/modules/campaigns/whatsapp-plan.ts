import { WhatsappDraft, type WhatsappEstimate } from '@carillon/contract/whatsapp-campaigns'
import { sql } from 'kysely'
import { z } from 'zod'
import { getChannel } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import type { Actor } from '../../http/handlers.ts'
import { findRate, getBalance, toRupees, type Rate } from '../balance/index.ts'
import type { CampaignPlan, PlannedLeg, Planner } from './campaign-plan.ts'
import { getCampaign, type CampaignRow } from './campaigns.queries.ts'
import type { Check } from './checks.ts'
import { countRows, type RowCount } from './count-rows.ts'
import type { Payer } from './estimate.ts'
import { ofOrganization } from './organization-reach.ts'
import { addSendingTime, isWindowed, nextOpen, promotionalWindow } from './send-window.ts'
import { freezeSms } from './sms-plan.ts'
import { waitingLegs } from './waiting-legs.ts'
import { runWhatsappChecks } from './whatsapp-checks.ts'
import { loadWhatsappChoices, type WhatsappChoices } from './whatsapp-choices.ts'

/** What the provider last said of a number; whatever else it says is of no concern here. */
const LineFacts = z.object({
  quality: z.string().catch('unknown'),
  status: z.string().catch(''),
  messagingLimit: z.number().nullable().catch(null),
})

type Priced = { count: RowCount; rate: Rate | undefined; cost: number; content: object }

type WhatsappReckoning = {
  choices: WhatsappChoices
  own: Priced
  sms: Priced | undefined
  cost: number
  available: number
  limitLeft: number | null
  durationSeconds: number
  beginsAt: Date
  endsAt: Date
  window: CampaignPlan['window']
  checks: Check[]
}

export const planWhatsapp: Planner = async (db, campaign, now): Promise<CampaignPlan> => {
  const choices = await loadWhatsappChoices(db, await ofOrganization(db, campaign), readWhatsappDraft(campaign))
  const payer = { organizationId: campaign.organization_id, accountId: campaign.created_by }
  const { own, sms, cost, checks, window } = await reckonWhatsapp(db, { choices, payer, now })
  const { failover, audience } = choices
  const first: PlannedLeg = {
    channel: 'whatsapp',
    senderId: choices.number.id,
    templateId: choices.template.id,
    category: choices.category.toLowerCase(),
    country: audience.default_country,
    ...priceOf(own),
  }
  const goesOnAtOnce = failover ? choices.draft.smsFailoverConditions.map(({ type }) => type) : []
  const legs: PlannedLeg[] = [first, ...waitingLegs(first, { goesOnAtOnce })]
  if (failover && sms)
    legs.push({
      channel: 'sms',
      senderId: failover.account.id,
      templateId: failover.template.id,
      category: failover.category,
      country: audience.default_country,
      entrance: failover.entrance,
      ...priceOf(sms),
    })
  return {
    people: own.count.people,
    parts: own.count.parts,
    cost,
    checks,
    legs,
    window,
    expiresAt: choices.draft.expiresAt,
  }
}

function priceOf({ rate, cost, content }: Priced) {
  return { content, price: rate?.price ?? 0, billableOn: rate?.billableOn ?? ('delivered' as const), estimated: cost }
}

export function readWhatsappDraft(campaign: Pick<CampaignRow, 'draft'>): WhatsappDraft {
  return WhatsappDraft.parse(campaign.draft)
}

/** Counts both branches over every real row, prices them, and runs every check. */
async function reckonWhatsapp(
  db: Db,
  { choices, payer, now }: { choices: WhatsappChoices; payer: Payer; now: Date },
): Promise<WhatsappReckoning> {
  const own = await priceWhatsapp(db, choices)
  const sms = choices.failover ? await priceSms(db, choices, choices.failover) : undefined
  const { available } = await getBalance(db, payer)
  const cost = own.cost + (sms?.cost ?? 0)
  const { messagingLimit, quality, status } = LineFacts.parse(choices.number.facts)
  const limitLeft = messagingLimit === null ? null : await leftOf(db, choices, messagingLimit)
  const times = timesOf(choices, own.count.parts, now)
  const prices = { price: own.rate?.price ?? null, smsPrice: sms?.rate?.price ?? null }
  const checks = runWhatsappChecks({
    choices,
    count: own.count,
    smsCount: sms?.count,
    limitLeft,
    quality,
    lineStatus: status,
    cost,
    available,
    ...prices,
    ...times,
  })
  return { choices, own, sms, cost, available, limitLeft, checks, ...times }
}

/** Promotional SMS behind it binds the whole campaign to the operators' hours, unless hours were chosen. */
function timesOf({ draft, number, failover }: WhatsappChoices, messages: number, now: Date) {
  const bound = failover && isWindowed(failover.category) ? promotionalWindow : undefined
  const window = draft.sendWindow ?? bound
  const startAt = draft.schedule.startAt ? new Date(draft.schedule.startAt) : now
  const earliest = startAt > now ? startAt : now
  const durationSeconds = Math.ceil(messages / number.rate_per_second)
  const beginsAt = nextOpen(window, earliest)
  return { window, durationSeconds, beginsAt, endsAt: addSendingTime(window, beginsAt, durationSeconds), now: earliest }
}

async function priceWhatsapp(
  db: Db,
  { draft, template, content, category, audience }: WhatsappChoices,
): Promise<Priced> {
  const frozen = {
    template: {
      name: template.name,
      language: template.language,
      parameterFormat: z
        .object({ parameterFormat: z.string() })
        .catch({ parameterFormat: 'positional' })
        .parse(template.facts).parameterFormat,
      category,
      content,
    },
    values: draft.values,
  }
  const key = { organizationId: audience.organization_id, audienceId: audience.id }
  const count = await countRows(db, key, getChannel('whatsapp').compileLeg(frozen))
  const rate = await findRate(db, {
    organizationId: audience.organization_id,
    channel: 'whatsapp',
    category: category.toLowerCase(),
    country: audience.default_country,
  })
  return { count, rate, cost: count.parts * (rate?.price ?? 0), content: frozen }
}

async function priceSms(
  db: Db,
  { audience }: WhatsappChoices,
  { account, content, category, sources }: NonNullable<WhatsappChoices['failover']>,
): Promise<Priced> {
  const frozen = freezeSms({ content, category, sources, entityId: account.entity_id })
  const key = { organizationId: audience.organization_id, audienceId: audience.id }
  const count = await countRows(db, key, getChannel('sms').compileLeg(frozen))
  const rate = await findRate(db, {
    organizationId: audience.organization_id,
    channel: 'sms',
    category,
    country: audience.default_country,
  })
  return { count, rate, cost: count.parts * (rate?.price ?? 0), content: frozen }
}

/** Who was written to from the number within a day counts against its limit. */
async function leftOf(db: Db, { number, audience }: WhatsappChoices, limit: number): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select count(distinct phone) as used from messages
    where organization_id = ${audience.organization_id}::uuid and sender_id = ${number.id}::uuid
      and created_on >= current_date - 1 and provider_message_id is not null and sent_at > now() - interval '1 day'`.execute(
    db,
  )
  return Math.max(0, limit - (rows[0]?.used ?? 0))
}

/** The estimate of a draft as it was last saved. Its costs are its creator's. */
export async function estimateWhatsappDraft(
  db: Db,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
): Promise<WhatsappEstimate> {
  const campaign = await getCampaign(db, { id, reach: actor.reach })
  const choices = await loadWhatsappChoices(db, actor.reach, readWhatsappDraft(campaign))
  const payer = { organizationId: campaign.organization_id, accountId: campaign.created_by }
  return presentEstimate(await reckonWhatsapp(db, { choices, payer, now }))
}

function presentEstimate({ own, sms, cost, available, ...reckoning }: WhatsappReckoning): WhatsappEstimate {
  return {
    people: own.count.people,
    pricePerPart: own.rate ? toRupees(own.rate.price) : null,
    rateAsOf: own.rate ? own.rate.asOf.toISOString() : null,
    cost: toRupees(cost),
    failoverCost: toRupees(sms?.cost ?? 0),
    failoverPricePerPart: sms?.rate ? toRupees(sms.rate.price) : null,
    balance: toRupees(available),
    balanceAfter: toRupees(available - cost),
    shortfall: toRupees(Math.max(0, cost - available)),
    missing: own.count.missing,
    missingSeqs: own.count.missingSeqs,
    limitLeft: reckoning.limitLeft,
    durationSeconds: reckoning.durationSeconds,
    beginsAt: reckoning.beginsAt.toISOString(),
    endsAt: reckoning.endsAt.toISOString(),
    checks: reckoning.checks,
  }
}
