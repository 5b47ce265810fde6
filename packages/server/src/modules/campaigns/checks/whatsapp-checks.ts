import type { SendWindow } from '@carillon/contract/campaign-records'
import { nameCountries } from '../../../lib/country-name.ts'
import { languageName } from '../../../lib/language-name.ts'
import { formatRupees, formatShortage } from '../../balance/index.ts'
import { balanceCheck, type Check, checkConsent, checkFormats, checkVariables } from './checks.ts'
import type { RowCount } from './count-rows.ts'
import type { SharedLimit } from './daily-limit.ts'
import { mostDays, type SendingDay } from '../planning/split-days.ts'
import { hoursInWords, isWindowed } from './send-window.ts'
import type { WhatsappChoices } from '../drafts/whatsapp-choices.ts'

/** All that the checks look at, loaded beforehand. */
export type WhatsappChecked = {
  choices: WhatsappChoices
  count: RowCount
  smsCount: RowCount | undefined
  /** People who may be written to first in a day; undefined is no limit. */
  daily: SharedLimit | undefined
  /** Its parts, where it is split over days. */
  days: readonly SendingDay[]
  quality: string
  lineStatus: string
  /** Countries without a price for the message, and for the SMS that takes over. */
  unpriced: readonly string[]
  smsUnpriced: readonly string[]
  cost: number
  available: number
  window: SendWindow | undefined
  beginsAt: Date
  endsAt: Date
  now: Date
}

/** Every check in the order of the wizard's steps, each ending in a pass, an advice or a blocker, in words. */
export function runWhatsappChecks(checked: WhatsappChecked): Check[] {
  return [
    checkPeople,
    checkNumber,
    checkQuality,
    checkTemplate,
    checkMedia,
    checkVariables,
    checkFormats,
    checkLimit,
    checkOptOut,
    checkMarketing,
    checkFailover,
    checkFailoverValues,
    checkWindow,
    checkExpiry,
    checkPrice,
    checkBalance,
  ].flatMap((check) => check(checked) ?? [])
}

function checkPeople({ count }: WhatsappChecked): Check {
  if (count.people === 0) return blocker('audience', 'No one to send to', 'No row of the audience was accepted.')
  return pass('audience', `${format(count.people)} people`, 'Every accepted row is counted.')
}

function checkNumber({ choices: { number }, lineStatus }: WhatsappChecked): Check {
  const shown = number.headers[0] ?? number.name
  if (!number.is_active) return blocker('account', `${shown} is off`, 'Switch the number on before you start.')
  if (lineStatus !== '' && lineStatus !== 'CONNECTED')
    return blocker(
      'account',
      `${shown} is not connected`,
      `Meta says ${lineStatus}. Look at it under WhatsApp numbers.`,
    )
  return pass('account', 'The number is on', shown)
}

function checkMarketing({ choices: { category, draft } }: WhatsappChecked): Check | undefined {
  return checkConsent(category === 'MARKETING', draft.hasConsent ?? false)
}

function checkQuality({ quality }: WhatsappChecked): Check | undefined {
  if (quality !== 'red' && quality !== 'yellow') return undefined
  return advice(
    'quality',
    `The quality of the number is ${quality === 'red' ? 'low' : 'medium'}`,
    'People block or report it. Send to those who expect it first; Meta may stop the number.',
  )
}

function checkTemplate({ choices: { template, number, status } }: WhatsappChecked): Check {
  if (template.provider_account_id !== number.provider_account_id)
    return blocker('template', 'The template belongs to another account', 'Choose one of the number’s own account.')
  if (status !== 'APPROVED')
    return blocker(
      'template',
      `The template is ${status.toLowerCase().replaceAll('_', ' ')}`,
      'Only approved templates are sent.',
    )
  return pass('template', 'The template is approved', `${template.name}, ${languageName(template.language)}`)
}

function checkMedia({ choices: { content, draft } }: WhatsappChecked): Check | undefined {
  const { header } = content
  if (!header || header.format === 'TEXT') return undefined
  if (header.format === 'LOCATION')
    return draft.values.location ? undefined : blocker('media', 'The header has no place', 'Enter where it leads.')
  if (draft.values.media) return pass('media', 'The header has its file', 'It is shown above the text.')
  return blocker('media', 'The header has no file', `Upload the ${header.format.toLowerCase()} that the message shows.`)
}

function checkLimit({ count, daily, days, choices: { draft } }: WhatsappChecked): Check {
  if (!daily) return pass('limit', 'The number has no daily limit', 'Everybody can be messaged today.')
  const { left, limit } = daily
  const sharing = daily.isShared ? ' All numbers of its business portfolio share this limit.' : ''
  if (count.people <= left)
    return pass('limit', 'Within today’s limit', `${format(left)} more people can be messaged today.${sharing}`)
  if (days.length > mostDays)
    return blocker(
      'limit',
      `So many people take more than ${mostDays} days`,
      `The number reaches ${format(limit)} people a day. Take a number of another business, or fewer people.${sharing}`,
    )
  if (days.length > 0)
    return pass(
      'limit',
      `Goes out over ${days.length === 1 ? 'one day' : `${days.length} days`}`,
      `${left > 0 ? `${format(left)} people at first, then` : 'From tomorrow on,'} up to ${format(limit)} every 24 hours, the last on ${dayOf(days.at(-1), draft.schedule.timezone)}.${sharing}`,
    )
  return advice(
    'limit',
    `More than the ${format(left)} people left for today`,
    `Meta refuses the rest. Split the campaign, and they get it on the days that follow.${sharing}`,
  )
}

function dayOf(day: SendingDay | undefined, timeZone: string): string {
  return new Intl.DateTimeFormat('en-IN', { timeZone, day: 'numeric', month: 'short' }).format(day?.endsAt)
}

const optOutWords = /\b(?:stop|opt[ -]?out|unsub(?:scribe)?)\b|रोकें|बंद/iu

function checkOptOut({ choices: { category, content } }: WhatsappChecked): Check | undefined {
  if (category !== 'MARKETING') return undefined
  const words = [
    content.body,
    content.footer,
    ...content.buttons.map((button) => ('text' in button ? button.text : '')),
  ]
  if (words.some((text) => optOutWords.test(text)))
    return pass('opt-out', 'The message says how to opt out', 'People who cannot opt out block the number instead.')
  return advice(
    'opt-out',
    'The message does not say how to opt out',
    'People who cannot opt out block the number instead, and its quality falls.',
  )
}

function checkFailover({ choices: { failover } }: WhatsappChecked): Check | undefined {
  if (!failover) return undefined
  const { account, template, content } = failover
  if (!account.is_active)
    return blocker('failover', 'The SMS account that takes over is off', `Switch ${account.name} on before you start.`)
  if (template.sender_id !== account.id)
    return blocker('failover', 'The SMS template belongs to another account', 'Choose one of the SMS account.')
  if (template.status !== 'approved')
    return blocker('failover', `The SMS template is ${template.status}`, 'Only approved templates are sent.')
  if (!account.headers.includes(content.header))
    return blocker('failover', `${content.header} is not a header of the SMS account`, account.headers.join(', '))
  return pass('failover', 'SMS takes over where WhatsApp does not reach', `${account.name}, ${template.name}`)
}

function checkFailoverValues({ smsCount }: WhatsappChecked): Check | undefined {
  if (!smsCount || smsCount.missing === 0) return undefined
  return advice(
    'failover-variables',
    `${rows(smsCount.missing)} without a value for the SMS`,
    'SMS does not take over for them.',
  )
}

function checkWindow({ choices: { failover }, window, now, beginsAt }: WhatsappChecked): Check {
  if (!window) return pass('window', 'It may be sent at any hour', 'WhatsApp has no hours of its own.')
  const why = failover && isWindowed(failover.category) ? ' Promotional SMS may leave in these hours only.' : ''
  const hours = `Messages leave between ${hoursInWords(window)}.${why}`
  if (beginsAt > now)
    return advice('window', 'Outside the sending hours', `${hours} What is not sent by then goes out the next day.`)
  return pass('window', 'It may be sent now', hours)
}

function checkExpiry({ choices: { draft }, beginsAt, endsAt, days }: WhatsappChecked): Check | undefined {
  if (!draft.expiresAt) return undefined
  const expiresAt = new Date(draft.expiresAt)
  if (expiresAt <= beginsAt)
    return blocker('expiry', 'It would end before it begins', 'Choose a later end, or an earlier start.')
  if (expiresAt < endsAt && days.length > 1)
    return blocker(
      'expiry',
      'It ends before its last part',
      `Choose an end after ${dayOf(days.at(-1), draft.schedule.timezone)}.`,
    )
  if (expiresAt < endsAt)
    return advice('expiry', 'It ends before everyone is reached', 'What is not sent by then is not sent.')
  return pass('expiry', 'There is time enough', 'Everyone is reached before the campaign ends.')
}

function checkPrice({ unpriced, smsUnpriced, choices: { category } }: WhatsappChecked): Check[] {
  const contact = 'Ask your account manager for a rate card, or leave these numbers out.'
  const title = (what: string, countries: readonly string[]) =>
    `There is no price for ${what} to ${nameCountries(countries)}`
  return [
    ...(unpriced.length > 0 ? [blocker('price', title(`WhatsApp ${category.toLowerCase()}`, unpriced), contact)] : []),
    ...(smsUnpriced.length > 0 ? [blocker('failover-price', title('SMS', smsUnpriced), contact)] : []),
  ]
}

function checkBalance({ cost, available, choices: { failover } }: WhatsappChecked): Check {
  const both = failover ? ' if everybody falls back to SMS' : ''
  const { short, needed, available: left } = formatShortage(cost, available)
  if (cost > available)
    return blocker(
      balanceCheck,
      `Insufficient balance: ₹${short} short`,
      `It costs ₹${needed}${both}, and ₹${left} can be spent.`,
    )
  return pass(balanceCheck, 'Enough balance', `₹${formatRupees(available - cost)} left after sending${both}.`)
}

const pass = (id: string, title: string, detail: string): Check => ({ id, level: 'pass', title, detail })
const advice = (id: string, title: string, detail: string): Check => ({ id, level: 'advice', title, detail })
const blocker = (id: string, title: string, detail: string): Check => ({ id, level: 'blocker', title, detail })

function format(count: number): string {
  return count.toLocaleString('en-IN')
}

function rows(count: number): string {
  return count === 1 ? 'One row' : `${format(count)} rows`
}
