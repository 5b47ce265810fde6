import type { SendWindow } from '@carillon/contract/campaign-records'
import type { Check } from '../../../channels/channel.ts'
import type { Db } from '../../../db/pool.ts'
import { countriesOf } from '../../audience/index.ts'
import { getBalance } from '../../balance/index.ts'
import { runChecks } from '../checks/checks.ts'
import { countAudience } from '../checks/count-audience.ts'
import { priceCountries } from '../checks/country-prices.ts'
import { checkFrequencyCap } from '../checks/frequency-cap.ts'
import { findDailyLimit, type SharedLimit } from '../checks/daily-limit.ts'
import { checkOptedOut, findOptedOut } from '../checks/opted-out.ts'
import { addSendingTime, hoursIn, nextOpen, windowFor } from '../checks/send-window.ts'
import { checkRecent } from '../checks/skip-recent.ts'
import type { Choices, ChosenLeg } from './load-draft.ts'
import type { PricedCampaign, PricedLeg } from './priced-campaign.ts'
import { spanOf, splitOverDays } from './split-days.ts'

export type Payer = { organizationId: string; accountId: string }

/** Counts and prices every leg, and runs every check. */
export async function priceCampaign(
  db: Db,
  { choices, payer, now }: { choices: Choices; payer: Payer; now: Date },
): Promise<PricedCampaign & { checks: Check[] }> {
  const { draft, audience, legs } = choices
  const { organization_id: organizationId, id: audienceId } = audience
  const [first, ...others] = legs
  const window = windowOf(choices)
  const own = await priceLeg(db, choices, { leg: first, window })
  const later: PricedLeg[] = []
  for (const leg of others) later.push(await priceLeg(db, choices, { leg, window }))
  const { available } = await getBalance(db, payer)
  const { id: senderId, facts } = first.loaded.sender
  const daily = first.rules.hasDailyLimit ? await findDailyLimit(db, { organizationId, senderId, facts }) : undefined
  const priced: PricedCampaign = {
    choices,
    legs: [own, ...later],
    cost: [own, ...later].reduce((sum, { prices }) => sum + prices.cost, 0),
    available,
    daily,
    ...timesOf(choices, { own, daily, now }),
  }
  const optedOut = checkOptedOut({ people: own.count.optedOut, channel: first.rules.label })
  const { skipRecent, frequencyCap: rule } = draft
  const recent = await checkRecent(db, { organizationId, audienceId, channel: first.channel, skipRecent })
  const isPromotion = legs.some(({ prepared }) => prepared.isPromotion)
  const capped = await checkFrequencyCap(db, { organizationId, audienceId, rule, isPromotion })
  return { ...priced, checks: [...runChecks(priced), ...optedOut, ...recent, ...capped] }
}

async function priceLeg(
  db: Db,
  { audience }: Choices,
  { leg, window }: { leg: ChosenLeg; window: SendWindow | undefined },
): Promise<PricedLeg> {
  const { organization_id: organizationId, id: audienceId, reading } = audience
  const { channel, prepared, rules } = leg
  const { category, content, sources } = prepared
  const optedOut = await findOptedOut(db, { organizationId, audienceId, channel, category })
  const counted = { organizationId, audienceId, reading, ranges: countriesOf(audience), content, sources, optedOut }
  const count = await countAudience(db, counted, rules.measureLeg(content))
  const prices = await priceCountries(db, { organizationId, channel, category }, count.countries)
  return { ...leg, count, prices, optedOut, window: leg.sendWindow ?? window }
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
  return { durationSeconds, ...spanOf(days, { beginsAt, endsAt }), now: earliest, days }
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
