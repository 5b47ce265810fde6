import type { VariableSource } from '@carillon/contract/campaign-records'
import { WhatsappDraft, type WhatsappEstimate } from '@carillon/contract/whatsapp-campaigns'
import { z } from 'zod'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import type { Actor } from '../../../http/handlers.ts'
import { countriesOf } from '../../audience/index.ts'
import { getBalance, toRupees } from '../../balance/index.ts'
import type { CampaignPlan, PlannedLeg, Planner } from './campaign-plan.ts'
import { getCampaign, type CampaignRow } from '../campaigns.queries.ts'
import type { Check } from '../checks/checks.ts'
import { countRows, type RowCount } from '../checks/count-rows.ts'
import { presentPrices, priceCountries, type CountryPrices } from '../checks/country-prices.ts'
import type { Payer } from '../checks/estimate.ts'
import { findDailyLimit } from '../checks/daily-limit.ts'
import { legsByCountry } from './legs-by-country.ts'
import { organizationScope } from '../reads/organization-scope.ts'
import { checkOptedOut, findOptedOut } from '../checks/opted-out.ts'
import { checkRecent } from '../checks/skip-recent.ts'
import { spanOf, splitOverDays, type DailyLimit } from './split-days.ts'
import { addSendingTime, isWindowed, nextOpen, promotionalWindow } from '../checks/send-window.ts'
import { freezeSms } from './sms-plan.ts'
import { waitingLegs } from './waiting-legs.ts'
import { runWhatsappChecks } from '../checks/whatsapp-checks.ts'
import { loadWhatsappChoices, type WhatsappChoices } from '../drafts/whatsapp-choices.ts'

/** What the provider last said of a number; whatever else it says is of no concern here. */
const LineFacts = z.object({
  quality: z.string().catch('unknown'),
  status: z.string().catch(''),
})

type Priced = { count: RowCount; prices: CountryPrices; content: object }

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
  const choices = await loadWhatsappChoices(db, await organizationScope(db, campaign), readWhatsappDraft(campaign))
  const payer = { organizationId: campaign.organization_id, accountId: campaign.created_by }
  const { own, sms, cost, checks, window } = await reckonWhatsapp(db, { choices, payer, now })
  const { failover } = choices
  const firsts = legsByCountry(
    {
      channel: 'whatsapp',
      senderId: choices.number.id,
      templateId: choices.template.id,
      category: choices.category.toLowerCase(),
      content: own.content,
    },
    own.prices,
  )
  const goesOnAtOnce = failover ? choices.draft.smsFailoverConditions.map(({ type }) => type) : []
  const legs: PlannedLeg[] = [...firsts, ...firsts.flatMap((first) => waitingLegs(first, { goesOnAtOnce }))]
  if (failover && sms)
    legs.push(
      ...legsByCountry(
        {
          channel: 'sms',
          senderId: failover.account.id,
          templateId: failover.template.id,
          category: failover.category,
          entrance: failover.entrance,
          content: sms.content,
        },
        sms.prices,
      ),
    )
  return {
    people: own.count.people,
    parts: own.count.parts,
    cost,
    checks,
    legs,
    window,
    expiresAt: choices.draft.expiresAt,
    skipRecentHours: choices.draft.skipRecent?.hours ?? null,
    splitOverDays: choices.draft.splitOverDays,
  }
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
  const cost = own.prices.cost + (sms?.prices.cost ?? 0)
  const { quality, status } = LineFacts.parse(choices.number.facts)
  const { organization_id: organizationId, id: audienceId } = choices.audience
  const daily = await findDailyLimit(db, { organizationId, senderId: choices.number.id, facts: choices.number.facts })
  const times = timesOf(choices, { count: own.count, daily, now })
  const unpriced = { unpriced: own.prices.unpriced, smsUnpriced: sms?.prices.unpriced ?? [] }
  const { skipRecent } = choices.draft
  const recent = await checkRecent(db, { organizationId, audienceId, channel: 'whatsapp', skipRecent })
  const found = runWhatsappChecks({
    choices,
    count: own.count,
    smsCount: sms?.count,
    daily,
    quality,
    lineStatus: status,
    cost,
    available,
    ...unpriced,
    ...times,
  })
  const optedOut = checkOptedOut({ people: own.count.optedOut, channel: 'WhatsApp' })
  const checks = [...found, ...optedOut, ...recent]
  return { choices, own, sms, cost, available, limitLeft: daily?.left ?? null, checks, ...times }
}

/** Promotional SMS behind it binds the whole campaign to the operators' hours, unless hours were chosen. */
function timesOf(
  { draft, number, failover }: WhatsappChoices,
  { count, daily, now }: { count: RowCount; daily: DailyLimit | undefined; now: Date },
) {
  const bound = failover && isWindowed(failover.category) ? promotionalWindow : undefined
  const window = draft.sendWindow ?? bound
  const startAt = draft.schedule.startAt ? new Date(draft.schedule.startAt) : now
  const earliest = startAt > now ? startAt : now
  const durationSeconds = Math.ceil(count.parts / number.rate_per_second)
  const beginsAt = nextOpen(window, earliest)
  const endsAt = addSendingTime(window, beginsAt, durationSeconds)
  const split = { people: count.people, ratePerSecond: number.rate_per_second, window, beginsAt }
  const days = draft.splitOverDays ? splitOverDays(daily, split) : []
  return { window, durationSeconds, ...spanOf(days, { beginsAt, endsAt }), now: earliest, days }
}

/** The template as it was approved, and where its values come from. */
export function freezeWhatsapp({ draft, template, content, category }: WhatsappChoices) {
  return {
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
}

async function priceWhatsapp(db: Db, choices: WhatsappChoices): Promise<Priced> {
  const { category, audience } = choices
  const frozen = freezeWhatsapp(choices)
  const key = keyOf(audience)
  const asked = { ...key, channel: 'whatsapp' as const, category: category.toLowerCase() }
  const sources = sourcesOf(choices.draft.values)
  const counted = { ...key, sources, optedOut: await findOptedOut(db, asked) }
  const count = await countRows(db, counted, getChannel('whatsapp').compileLeg(frozen))
  return { count, prices: await priceCountries(db, asked, count.countries), content: frozen }
}

/** Every variable source of a template, in any of its components. */
function sourcesOf({ header, body, urls, copyCode, cards }: WhatsappDraft['values']): VariableSource[] {
  return [
    ...(header ? [header] : []),
    ...body,
    ...urls,
    ...(copyCode ? [copyCode] : []),
    ...cards.flatMap((card) => [...card.body, ...card.urls]),
  ]
}

async function priceSms(
  db: Db,
  { audience }: WhatsappChoices,
  { account, content, category, sources }: NonNullable<WhatsappChoices['failover']>,
): Promise<Priced> {
  const frozen = freezeSms({ content, category, sources, entityId: account.entity_id })
  const key = keyOf(audience)
  const asked = { ...key, channel: 'sms' as const, category }
  const counted = { ...key, sources, optedOut: await findOptedOut(db, asked) }
  const count = await countRows(db, counted, getChannel('sms').compileLeg(frozen))
  return { count, prices: await priceCountries(db, asked, count.countries), content: frozen }
}

function keyOf(audience: WhatsappChoices['audience']) {
  return { organizationId: audience.organization_id, audienceId: audience.id, ranges: countriesOf(audience) }
}

/** The estimate of a draft as it was last saved. Its costs are its creator's. */
export async function estimateWhatsappDraft(
  db: Db,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
): Promise<WhatsappEstimate> {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  const choices = await loadWhatsappChoices(db, actor.scope, readWhatsappDraft(campaign))
  const payer = { organizationId: campaign.organization_id, accountId: campaign.created_by }
  return presentEstimate(await reckonWhatsapp(db, { choices, payer, now }))
}

function presentEstimate({ own, sms, cost, available, ...reckoning }: WhatsappReckoning): WhatsappEstimate {
  return {
    people: own.count.people,
    pricePerPart: own.prices.rate ? toRupees(own.prices.rate.price) : null,
    rateAsOf: own.prices.rate ? own.prices.rate.asOf.toISOString() : null,
    cost: toRupees(cost),
    prices: presentPrices(own.prices),
    failoverPrices: sms ? presentPrices(sms.prices) : [],
    failoverCost: toRupees(sms?.prices.cost ?? 0),
    failoverPricePerPart: sms?.prices.rate ? toRupees(sms.prices.rate.price) : null,
    balance: toRupees(available),
    balanceAfter: toRupees(available - cost),
    shortfall: toRupees(Math.max(0, cost - available)),
    missing: own.count.missing,
    optedOut: own.count.optedOut,
    missingSeqs: own.count.missingSeqs,
    unreadable: own.count.unreadable,
    unreadableSeqs: own.count.unreadableSeqs,
    limitLeft: reckoning.limitLeft,
    durationSeconds: reckoning.durationSeconds,
    beginsAt: reckoning.beginsAt.toISOString(),
    endsAt: reckoning.endsAt.toISOString(),
    checks: reckoning.checks,
  }
}
