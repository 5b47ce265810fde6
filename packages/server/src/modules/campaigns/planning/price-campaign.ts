import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { SendWindow } from '@carillon/contract/campaign-records'
import type { Check } from '../../../channels/channel.ts'
import type { Db } from '../../../db/pool.ts'
import { countriesOf } from '../../audience/index.ts'
import { enabledTest } from '../ab-tests/enabled-test.ts'
import { getBalance } from '../../balance/index.ts'
import { runChecks } from '../checks/checks.ts'
import { checkConversations } from '../checks/conversations.ts'
import { checkFrequencyCap } from '../checks/frequency-cap.ts'
import { findDailyLimit, type SharedLimit } from '../checks/daily-limit.ts'
import { checkOptedOut } from '../checks/opted-out.ts'
import { addSendingTime, hoursIn, nextOpen, windowFor } from '../checks/send-window.ts'
import { checkRecent } from '../checks/skip-recent.ts'
import { assignLegs, type CountedLeg } from './assign-legs.ts'
import type { Skipped } from './assign-recipients.ts'
import type { BeginningAt } from './beginnings.ts'
import { expectCampaign, restCosts } from './expect-campaign.ts'
import type { Choices } from './load-draft.ts'
import { priceShares } from './price-shares.ts'
import type { PricedCampaign, PricedLeg } from './priced-campaign.ts'
import { splitLeg } from './split-leg.ts'
import { spanOf, splitOverDays } from './split-days.ts'

export type Payer = { organizationId: string; accountId: string }

/** Counts and prices every leg, and runs every check. */
export async function priceCampaign(
  db: Db,
  { choices, payer, now }: { choices: Choices; payer: Payer; now: Date },
): Promise<PricedCampaign & { checks: Check[] }> {
  const { draft, audience, legs } = choices
  const { organization_id: organizationId, id: audienceId } = audience
  const [first] = legs
  const { legs: priced, skipped, beginningAt } = await priceLegs(db, choices)
  const [own] = priced
  const { available } = await getBalance(db, payer)
  const { id: senderId, facts } = first.loaded.sender
  const cost = maximumCost(priced)
  const split = await expectCampaign(db, {
    organizationId,
    legs: priced,
    beginningAt,
    people: audience.accepted,
    hold: cost,
    groups: choices.groups,
  })
  const daily = first.rules.hasDailyLimit ? await findDailyLimit(db, { organizationId, senderId, facts }) : undefined
  const campaign: PricedCampaign = {
    choices,
    legs: priced,
    skipped,
    cost,
    split,
    available,
    daily,
    ...timesOf(choices, { own, daily, now }),
  }
  const optedOut = checkOptedOut({ people: own.count.optedOut, channel: first.rules.label })
  const { skipRecent, frequencyCap: rule } = draft
  const recent = await checkRecent(db, { organizationId, audienceId, channel: first.channel, skipRecent })
  const isPromotion = legs.some(({ prepared }) => prepared.isPromotion)
  const capped = await checkFrequencyCap(db, { organizationId, audienceId, rule, isPromotion })
  const conversations = await checkConversations(db, { organizationId, legs: priced })
  const links = legs.flatMap(({ linkChecks }) => linkChecks)
  return {
    ...campaign,
    checks: [...runChecks(campaign), ...links, ...optedOut, ...recent, ...capped, ...conversations],
  }
}

/** What all legs together can cost. Of the variants of a test, the others get one, which may be the most expensive. */
function maximumCost(legs: readonly PricedLeg[]): number {
  const shares = legs.flatMap((leg) => leg.shares)
  const certain = shares.reduce((sum, { role, prices }) => sum + (role === 'rest' ? 0 : prices.cost), 0)
  return certain + Math.max(...restCosts(legs), 0)
}

type PricedLegs = { legs: PricedCampaign['legs']; skipped: Skipped[]; beginningAt: BeginningAt }

/** The legs of a draft with their recipients and prices. */
async function priceLegs(db: Db, choices: Choices): Promise<PricedLegs> {
  const { audience } = choices
  const { legs, recipients, skipped, beginningAt } = await assignLegs(db, choices)
  const ranges = countriesOf(audience)
  const window = windowOf(choices)
  const price = async (leg: CountedLeg, index: number): Promise<PricedLeg> => {
    const all = { starters: undefined, followers: undefined }
    const shares = splitLeg({
      count: leg.count,
      ranges,
      recipients: recipients[index] ?? all,
      isFirst: index < (choices.groups?.variants ?? 1),
    })
    const prices = await priceShares(db, { ...leg, organizationId: audience.organization_id }, shares)
    return { ...leg, ...prices, window: leg.sendWindow ?? window }
  }
  const [own, ...rest] = legs
  const priced: PricedCampaign['legs'] = [await price(own, 0)]
  for (const [index, leg] of rest.entries()) priced.push(await price(leg, index + 1))
  return { legs: priced, skipped, beginningAt }
}

/** Operators' hours for any leg bind the whole campaign, unless hours were chosen for it. */
function windowOf({ draft, legs }: Choices): SendWindow | undefined {
  return windowFor(legs.find(({ prepared }) => prepared.operatorHours)?.prepared.operatorHours, draft.sendWindow)
}

function timesOf(
  { draft }: Choices,
  { own, daily, now }: { own: PricedLeg; daily: SharedLimit | undefined; now: Date },
) {
  const { ratePerSecond, count, window } = own
  const startAt = draft.schedule.startAt ? new Date(draft.schedule.startAt) : now
  const earliest = startAt > now ? startAt : now
  const durationSeconds = Math.ceil(count.parts / ratePerSecond)
  const { beginsAt, endsAt } = spanByCountry(own, earliest)
  const [main] = count.countries
  const hours = window && main && hoursIn(main.country, window)
  const split = { people: count.people, ratePerSecond, window: hours, beginsAt }
  const days = draft.splitOverDays ? splitOverDays(daily, split) : []
  return { durationSeconds, ...spanOf(days, { beginsAt, endsAt: afterTest(draft, endsAt) }), now: earliest, days }
}

/** The others are sent to once the winner is chosen. */
function afterTest(draft: CampaignDraft, endsAt: Date): Date {
  return new Date(endsAt.getTime() + (enabledTest(draft)?.durationMinutes ?? 0) * 60_000)
}

/** From the first country that may be sent to, to the last that is done; those that are open together share the rate. */
function spanByCountry({ ratePerSecond, count, window }: PricedLeg, earliest: Date) {
  if (!window?.useRecipientTimezone) {
    const beginsAt = nextOpen(window, earliest)
    return { beginsAt, endsAt: addSendingTime(window, beginsAt, Math.ceil(count.parts / ratePerSecond)) }
  }
  const spans = count.countries.map(({ country, parts }) => {
    const hours = hoursIn(country, window)
    const beginsAt = nextOpen(hours, earliest)
    return { beginsAt, endsAt: addSendingTime(hours, beginsAt, Math.ceil(parts / ratePerSecond)) }
  })
  const beginsAt = new Date(Math.min(...spans.map((span) => span.beginsAt.getTime())))
  const busyUntil = addSendingTime(undefined, beginsAt, Math.ceil(count.parts / ratePerSecond))
  return { beginsAt, endsAt: new Date(Math.max(busyUntil.getTime(), ...spans.map(({ endsAt }) => endsAt.getTime()))) }
}
