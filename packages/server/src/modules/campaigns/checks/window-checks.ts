import { advice, blocker, pass, type Check } from '../../../channels/channel.ts'
import { nameCountries } from '../../../lib/country-name.ts'
import type { PricedCampaign, PricedLeg } from '../planning/priced-campaign.ts'
import { formatHours, hoursIn, isEverOpen, isWithinHours } from './send-window.ts'

/** The hours of the campaign, and those of later messages that have their own. */
export function checkWindows(priced: PricedCampaign): Check[] {
  const { legs } = priced
  const [refusal] = legs.flatMap((leg) => [...checkOperatorHours(leg), ...checkZones(leg, priced)])
  return refusal ? [refusal] : [checkOwn(priced), ...legs.slice(1).flatMap(checkLater)]
}

/** Recipients in another time zone than the operators' are bound by their own hours only, if the hours are those of their country. */
function checkOperatorHours({ prepared: { operatorHours }, window, count, rules }: PricedLeg): Check[] {
  if (!operatorHours || !window) return []
  const isOutside = count.countries.some(({ country }) => {
    const hours = hoursIn(country, window)
    const isBound = !window.useRecipientTimezone || hours.timezone === operatorHours.timezone
    return isBound && !isWithinHours(hours, operatorHours)
  })
  if (!isOutside) return []
  return [
    blocker(
      'window',
      'The hours exceed what operators allow',
      `Promotional ${rules.label} may be sent between ${formatHours(operatorHours)}.`,
    ),
  ]
}

function checkZones({ window, count }: PricedLeg, { now }: PricedCampaign): Check[] {
  if (!window?.useRecipientTimezone) return []
  const never = count.countries.filter(({ country }) => !isEverOpen(hoursIn(country, window), now))
  if (never.length === 0) return []
  return [
    blocker(
      'window',
      `The hours are too short for ${nameCountries(never.map(({ country }) => country))}`,
      'They are never open in all time zones of the country at once. Choose longer hours, or those of one time zone.',
    ),
  ]
}

function checkOwn({ legs: [own, ...others], now, beginsAt }: PricedCampaign): Check {
  const { window } = own
  if (!window) return pass('window', 'It may be sent at any hour', 'Neither the channel nor the template sets hours.')
  const bound = others.find(({ prepared, sendWindow }) => prepared.operatorHours && !sendWindow)
  const why = bound ? ` Promotional ${bound.rules.label} may be sent in these hours only.` : ''
  const zones = window.useRecipientTimezone
    ? ' In a country with several time zones, only while they are open in all of them.'
    : ''
  const hours = `Messages are sent between ${formatHours(window)}.${zones}${why}`
  if (beginsAt > now)
    return advice('window', 'Outside the sending hours', `${hours} Unsent messages are sent the next day.`)
  return pass('window', 'It may be sent now', hours)
}

function checkLater({ sendWindow, rules }: PricedLeg): Check[] {
  if (!sendWindow) return []
  const detail =
    'Who falls back outside these hours waits for them. Those still waiting when the campaign ends do not get it.'
  return [pass('leg-window', `${rules.label} is sent between ${formatHours(sendWindow)}`, detail)]
}
