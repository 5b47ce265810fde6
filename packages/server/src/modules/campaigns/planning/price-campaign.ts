import type { Check } from '../../../channels/channel.ts'
import type { Db } from '../../../db/pool.ts'
import { countriesOf } from '../../audience/index.ts'
import { getBalance } from '../../balance/index.ts'
import { runChecks } from '../checks/checks.ts'
import { countAudience, type AudienceCount } from '../checks/count-audience.ts'
import { priceCountries } from '../checks/country-prices.ts'
import { findDailyLimit, type SharedLimit } from '../checks/daily-limit.ts'
import { checkOptedOut, findOptedOut } from '../checks/opted-out.ts'
import { addSendingTime, nextOpen, windowFor } from '../checks/send-window.ts'
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
  const own = await priceLeg(db, choices, first)
  const later: PricedLeg[] = []
  for (const leg of others) later.push(await priceLeg(db, choices, leg))
  const { available } = await getBalance(db, payer)
  const { id: senderId, facts } = first.loaded.sender
  const daily = first.rules.hasDailyLimit ? await findDailyLimit(db, { organizationId, senderId, facts }) : undefined
  const priced: PricedCampaign = {
    choices,
    legs: [own, ...later],
    cost: [own, ...later].reduce((sum, { prices }) => sum + prices.cost, 0),
    available,
    daily,
    ...timesOf(choices, { count: own.count, daily, now }),
  }
  const optedOut = checkOptedOut({ people: own.count.optedOut, channel: first.rules.label })
  const { skipRecent } = draft
  const recent = await checkRecent(db, { organizationId, audienceId, channel: first.channel, skipRecent })
  return { ...priced, checks: [...runChecks(priced), ...optedOut, ...recent] }
}

async function priceLeg(db: Db, { audience }: Choices, leg: ChosenLeg): Promise<PricedLeg> {
  const { organization_id: organizationId, id: audienceId, reading } = audience
  const { channel, prepared, rules } = leg
  const { category, content, isMarketing, sources } = prepared
  const optedOut = await findOptedOut(db, { organizationId, audienceId, channel, isMarketing })
  const counted = { organizationId, audienceId, reading, ranges: countriesOf(audience), content, sources, optedOut }
  const count = await countAudience(db, counted, rules.measureLeg(content))
  const prices = await priceCountries(db, { organizationId, channel, category }, count.countries)
  return { ...leg, count, prices }
}

/** Operators' hours for any leg bind the whole campaign, unless hours were chosen. */
function timesOf(
  { draft, legs }: Choices,
  { count, daily, now }: { count: AudienceCount; daily: SharedLimit | undefined; now: Date },
) {
  const [{ ratePerSecond }] = legs
  const hours = legs.find(({ prepared }) => prepared.operatorHours)?.prepared.operatorHours
  const window = windowFor(hours, draft.sendWindow)
  const startAt = draft.schedule.startAt ? new Date(draft.schedule.startAt) : now
  const earliest = startAt > now ? startAt : now
  const durationSeconds = Math.ceil(count.parts / ratePerSecond)
  const beginsAt = nextOpen(window, earliest)
  const endsAt = addSendingTime(window, beginsAt, durationSeconds)
  const split = { people: count.people, ratePerSecond, window, beginsAt }
  const days = draft.splitOverDays ? splitOverDays(daily, split) : []
  return { window, durationSeconds, ...spanOf(days, { beginsAt, endsAt }), now: earliest, days }
}
