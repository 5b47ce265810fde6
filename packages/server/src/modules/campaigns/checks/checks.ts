import {
  advice,
  blocker,
  countRowsOf,
  formatCount,
  pass,
  type Check,
  type MessageCount,
} from '../../../channels/channel.ts'
import { nameCountries } from '../../../lib/country-name.ts'
import { checkTest } from '../ab-tests/check-test.ts'
import { formatRupees, formatShortage } from '../../balance/index.ts'
import type { PricedCampaign, PricedLeg } from '../planning/priced-campaign.ts'
import { mostDays, type SendingDay } from '../planning/split-days.ts'
import { checkWindows } from './window-checks.ts'

/** Checks that block the start but not the ready state: the start checks the balance again and rejects. */
export const balanceCheck = 'balance'

/** All checks in the order of the wizard's steps; each is a pass, advice or blocker, with a text. */
export function runChecks(priced: PricedCampaign): Check[] {
  const [{ rules, loaded, count, prices }] = priced.legs
  const countries = count.countries.map(({ country }) => country)
  return [
    checkPeople(priced),
    ...rules.checkSender(loaded),
    ...rules.checkTemplate(loaded, { countries }),
    checkVariables(priced),
    ...checkFormats(priced),
    ...checkLimit(priced),
    ...rules.checkMessages(loaded, messageCountOf({ count, prices })),
    ...checkConsent(priced),
    ...checkTest(priced),
    ...checkFailover(priced),
    ...checkWindows(priced),
    ...checkExpiry(priced),
    ...checkPrices(priced),
    checkBalance(priced),
  ]
}

export function hasBlocker(checks: readonly Check[]): boolean {
  return checks.some(({ level, id }) => level === 'blocker' && id !== balanceCheck)
}

/** The legs that recipients fail over to. */
function laterLegs({ legs, choices: { groups } }: PricedCampaign): PricedLeg[] {
  return legs.slice(groups?.variants ?? 1)
}

function checkPeople({ legs: [{ count }, ...others] }: PricedCampaign): Check {
  if (count.people === 0) return blocker('audience', 'No one to send to', 'No row of the audience was accepted.')
  const acceptsOptedOut = others.some(({ entrance }) => entrance?.reasons.includes('opted_out'))
  if (count.optedOut === count.people && !acceptsOptedOut)
    return blocker('audience', 'No one to send to', 'Everyone in this audience has opted out.')
  return pass('audience', `${formatCount(count.people)} people`, 'Every accepted row is counted.')
}

/** A row without a value is not sent. */
function checkVariables(priced: PricedCampaign): Check {
  const [{ count }, ...others] = priced.legs
  const later = laterLegs(priced)
  const lacksAll = [count, ...others.map((leg) => leg.count)].every(({ people, missing }) => missing === people)
  if (count.people > 0 && lacksAll)
    return blocker(
      'variables',
      'No row has a value for every variable',
      'Choose a column, or a value for everyone, for each variable.',
    )
  if (count.missing > 0)
    return advice(
      'variables',
      `${countRowsOf(count.missing)} without a value`,
      later.length > 0
        ? 'They get the next message for which they have all values.'
        : 'Skipped at no cost. Enter a value for empty cells to include these rows.',
    )
  return pass('variables', 'Every variable has a value', 'In every row.')
}

/** A cell that cannot be formatted as requested counts as empty. */
function checkFormats({ legs: [{ count }] }: PricedCampaign): Check[] {
  if (count.unreadable === 0) return []
  return [
    advice(
      'formats',
      `${countRowsOf(count.unreadable)} with an unreadable date or number`,
      'Treated as empty. Correct the file, or choose another format.',
    ),
  ]
}

function checkLimit({ legs: [{ rules, count }], daily, days, choices: { draft } }: PricedCampaign): Check[] {
  if (!rules.hasDailyLimit) return []
  if (!daily) return [pass('limit', 'The number has no daily limit', 'Everyone can be messaged today.')]
  const { left, limit } = daily
  const sharing = daily.isShared ? ' All numbers of its business portfolio share this limit.' : ''
  if (count.people <= left)
    return [pass('limit', 'Within today’s limit', `${formatCount(left)} more people can be messaged today.${sharing}`)]
  if (days.length > mostDays)
    return [
      blocker(
        'limit',
        `Sending would take more than ${mostDays} days`,
        `The number can message ${formatCount(limit)} people a day. Use a number of another business, or fewer people.${sharing}`,
      ),
    ]
  if (days.length > 0)
    return [
      pass(
        'limit',
        `Sent over ${days.length === 1 ? 'one day' : `${days.length} days`}`,
        `${left > 0 ? `${formatCount(left)} people at first, then` : 'From tomorrow on,'} up to ${formatCount(limit)} every 24 hours, the last on ${formatDay(days.at(-1), draft.schedule.timezone)}.${sharing}`,
      ),
    ]
  return [
    advice(
      'limit',
      `More than the ${formatCount(left)} people left for today`,
      `Meta rejects the rest. Split the campaign to send to them on the following days.${sharing}`,
    ),
  ]
}

function formatDay(day: SendingDay | undefined, timeZone: string): string {
  return new Intl.DateTimeFormat('en-IN', { timeZone, day: 'numeric', month: 'short' }).format(day?.endsAt)
}

function messageCountOf({ count, prices }: Pick<PricedLeg, 'count' | 'prices'>): MessageCount {
  const [price, ...others] = new Set(prices.countries.map(({ rate }) => rate?.price))
  return {
    ...count,
    countries: count.countries.map(({ country }) => country),
    formatCost: (parts) => (price === undefined || others.length > 0 ? undefined : formatRupees(parts * price)),
  }
}

/** Promotions require the recipients' consent. */
function checkConsent({ legs, choices: { draft, groups } }: PricedCampaign): Check[] {
  if (!legs.slice(0, groups?.variants ?? 1).some(({ prepared }) => prepared.isPromotion)) return []
  if (draft.hasConsent)
    return [pass('consent', 'These people agreed to promotional messages', 'Confirmed with the audience.')]
  return [
    advice(
      'consent',
      'Consent of these people is not confirmed',
      'Promotional messages need their consent. Confirm it below the audience.',
    ),
  ]
}

function checkFailover(priced: PricedCampaign): Check[] {
  const [first] = priced.legs
  return laterLegs(priced).flatMap((leg) => {
    const { rules, loaded, count } = leg
    const countries = count.countries.map(({ country }) => country)
    const found = [...rules.checkSender(loaded), ...rules.checkTemplate(loaded, { countries })]
    const refusal = found.find(({ level }) => level === 'blocker')
    if (refusal) return [blocker('failover', `Fallback: ${refusal.title}`, refusal.detail)]
    const names = `${loaded.sender.name}, ${loaded.template.name}`
    return [
      pass('failover', `${rules.label} is sent where ${first.rules.label} fails`, names),
      ...checkFailoverValues(leg),
    ]
  })
}

function checkFailoverValues({ rules: { label }, count: { missing } }: PricedLeg): Check[] {
  if (missing === 0) return []
  return [
    advice(
      'failover-variables',
      `${countRowsOf(missing)} without a value for the ${label}`,
      `${label} is not sent to them.`,
    ),
  ]
}

function checkExpiry({ choices: { draft }, beginsAt, endsAt, days }: PricedCampaign): Check[] {
  if (!draft.expiresAt) return []
  const expiresAt = new Date(draft.expiresAt)
  if (expiresAt <= beginsAt)
    return [blocker('expiry', 'The end is before the start', 'Choose a later end, or an earlier start.')]
  if (expiresAt < endsAt && days.length > 1) {
    const last = formatDay(days.at(-1), draft.schedule.timezone)
    return [blocker('expiry', 'The end is before the last part', `Choose an end after ${last}.`)]
  }
  if (expiresAt < endsAt)
    return [
      advice(
        'expiry',
        'It ends before all messages are sent',
        'At the sender’s rate, the last messages would not be sent before the end.',
      ),
    ]
  return [pass('expiry', 'Enough time to send', 'All messages are sent before the campaign ends.')]
}

function checkPrices({ legs, choices: { groups } }: PricedCampaign): Check[] {
  return legs.flatMap(({ prepared, prices: { unpriced } }, index) =>
    unpriced.length > 0
      ? [
          blocker(
            index < (groups?.variants ?? 1) ? 'price' : 'failover-price',
            `There is no price for ${prepared.priceName} to ${nameCountries(unpriced)}`,
            'Ask your account manager for a rate card, or leave these numbers out.',
          ),
        ]
      : [],
  )
}

function checkBalance(priced: PricedCampaign): Check {
  const { cost, available } = priced
  const others = laterLegs(priced)
  const both =
    others.length > 0 ? ` if everybody falls back to ${others.map(({ rules }) => rules.label).join(', ')}` : ''
  const { short, needed, available: left } = formatShortage(cost, available)
  if (cost > available)
    return blocker(
      balanceCheck,
      `Insufficient balance: ₹${short} short`,
      `It costs ₹${needed}${both}, and ₹${left} can be spent.`,
    )
  return pass(balanceCheck, 'Enough balance', `₹${formatRupees(available - cost)} left after sending${both}.`)
}
