import type { SendWindow } from '@carillon/contract/campaign-records'
import type { Check } from '../../../channels/channel.ts'
import type { Db } from '../../../db/pool.ts'
import { countriesOf } from '../../audience/index.ts'
import { getBalance } from '../../balance/index.ts'
import { runChecks } from '../checks/checks.ts'
import { checkConversations } from '../checks/conversations.ts'
import { countAudience, type AudienceCount } from '../checks/count-audience.ts'
import { checkFrequencyCap } from '../checks/frequency-cap.ts'
import { findDailyLimit, type SharedLimit } from '../checks/daily-limit.ts'
import { checkOptedOut, findOptedOut } from '../checks/opted-out.ts'
import { addSendingTime, hoursIn, nextOpen, windowFor } from '../checks/send-window.ts'
import { checkRecent } from '../checks/skip-recent.ts'
import { createBitmap, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import { findUnreachable, nothingKnown } from '../reach/unreachable.ts'
import { assignRecipients, type Obstacle, type Skipped } from './assign-recipients.ts'
import { expectCampaign } from './expect-campaign.ts'
import type { Choices, ChosenLeg } from './load-draft.ts'
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
  const { legs: priced, skipped } = await priceLegs(db, choices)
  const [own] = priced
  const { available } = await getBalance(db, payer)
  const { id: senderId, facts } = first.loaded.sender
  const cost = priced.reduce((sum, { prices }) => sum + prices.cost, 0)
  const split = await expectCampaign(db, {
    organizationId,
    legs: priced,
    skipped,
    people: audience.accepted,
    hold: cost,
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
  return { ...campaign, checks: [...runChecks(campaign), ...optedOut, ...recent, ...capped, ...conversations] }
}

/** The legs of a draft with their recipients and prices. */
async function priceLegs(db: Db, choices: Choices): Promise<{ legs: PricedCampaign['legs']; skipped: Skipped[] }> {
  const { audience, legs } = choices
  const [first, ...others] = legs
  const counted = [await countLeg(db, choices, first)] as [CountedLeg, ...CountedLeg[]]
  for (const leg of others) counted.push(await countLeg(db, choices, leg))
  const terms = counted.map((leg) => ({
    obstacles: obstaclesOf(leg, { isOnly: others.length === 0 }),
    enterReasons: leg.entrance?.reasons ?? [],
  }))
  const { legs: recipients, skipped } = assignRecipients(terms, audience.accepted)
  const ranges = countriesOf(audience)
  const window = windowOf(choices)
  const price = async (leg: CountedLeg, index: number): Promise<PricedLeg> => {
    const all = { starters: undefined, followers: undefined }
    const shares = splitLeg({
      count: leg.count,
      ranges,
      recipients: recipients[index] ?? all,
      isFirst: index === 0,
    })
    const prices = await priceShares(db, { ...leg, organizationId: audience.organization_id }, shares)
    return { ...leg, ...prices, window: leg.sendWindow ?? window }
  }
  const [own, ...rest] = counted
  const priced: PricedCampaign['legs'] = [await price(own, 0)]
  for (const [index, leg] of rest.entries()) priced.push(await price(leg, index + 1))
  return { legs: priced, skipped }
}

type CountedLeg = ChosenLeg & {
  count: AudienceCount
  optedOut: ReadonlySet<number>
  unreachable: Bitmap | undefined
  isReachKnown: boolean
}

async function countLeg(db: Db, { audience }: Choices, leg: ChosenLeg): Promise<CountedLeg> {
  const { organization_id: organizationId, id: audienceId, reading } = audience
  const { channel, prepared, rules, loaded } = leg
  const { category, content, isMarketing, sources } = prepared
  const optedOut = await findOptedOut(db, { organizationId, audienceId, channel, isMarketing })
  const counted = {
    organizationId,
    audienceId,
    reading,
    ranges: countriesOf(audience),
    content,
    sources,
    optedOut,
    category,
  }
  const count = await countAudience(db, counted, rules.measureLeg(content))
  const key = { organizationId, audienceId, senderId: loaded.sender.id }
  const reach = rules.checksReach ? await findUnreachable(db, key, audience) : nothingKnown
  return { ...leg, count, optedOut, ...reach }
}

/** Recipients without a value are skipped as the messages are sent if there is no other leg that they could get. */
function obstaclesOf({ count, optedOut, unreachable }: CountedLeg, { isOnly }: { isOnly: boolean }): Obstacle[] {
  const { parts } = count.rows
  const obstacles: Obstacle[] = []
  if (optedOut.size > 0) obstacles.push({ reason: 'opted_out', positions: bitmapOf(optedOut, parts.length) })
  if (unreachable) obstacles.push({ reason: 'number_unreachable', positions: unreachable })
  if (!isOnly && count.missing > 0) {
    const positions = createBitmap(parts.length)
    for (const [seq, count] of parts.entries()) if (count === 0) setBit(positions, seq)
    obstacles.push({ reason: 'missing_variable', positions })
  }
  return obstacles
}

function bitmapOf(seqs: Iterable<number>, length: number): Bitmap {
  const bitmap = createBitmap(length)
  for (const seq of seqs) setBit(bitmap, seq)
  return bitmap
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
