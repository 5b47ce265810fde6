import type { SendWindow } from '@carillon/contract/campaign-records'
import type { Estimate } from '@carillon/contract/campaign-drafts'
import { SmsCategory, type SmsTemplateStatus } from '@carillon/contract/templates'
import { nameCountries } from '../../../lib/country-name.ts'
import { formatRupees, formatShortage } from '../../balance/index.ts'
import type { AudienceCount } from './count-audience.ts'
import type { CountryPrices } from './country-prices.ts'
import { hoursInWords, isWindowed, keepsOperatorHours, promotionalWindow } from './send-window.ts'

export type Check = Estimate['checks'][number]

/** All that the checks look at, loaded beforehand. */
export type Checked = {
  account: { name: string; isActive: boolean; headers: readonly string[] }
  template: {
    status: SmsTemplateStatus
    header: string
    category: string
    belongsToAccount: boolean
    body: string
    entityId: string | undefined
    dltTemplateId: string | undefined
  }
  count: AudienceCount
  toIndia: boolean
  hasConsent: boolean
  cost: number
  available: number
  prices: CountryPrices
  window: SendWindow | undefined
  now: Date
  beginsAt: Date
  endsAt: Date
  expiresAt: Date | undefined
}

/** What a campaign may lack and be ready all the same: the start looks at the balance again, and refuses. */
export const balanceCheck = 'balance'

const optOutWords = /\b(?:stop|opt[ -]?out|unsub(?:scribe)?|dnd)\b|रोकें|बंद/iu

/** Every check in the order of the wizard's steps, each ending in a pass, an advice or a blocker, in words. */
export function runChecks(checked: Checked): Check[] {
  return [
    checkPeople,
    checkAccount,
    checkHeader,
    checkTemplate,
    checkDltIds,
    checkVariables,
    checkFormats,
    checkValues,
    checkParts,
    checkOptOut,
    checkPromotion,
    checkWindow,
    checkExpiry,
    checkPrice,
    checkBalance,
  ].flatMap((check) => check(checked) ?? [])
}

export function hasBlocker(checks: readonly Check[]): boolean {
  return checks.some(({ level, id }) => level === 'blocker' && id !== balanceCheck)
}

function checkPeople({ count }: Checked): Check {
  if (count.people === 0) return blocker('audience', 'No one to send to', 'No row of the audience was accepted.')
  return pass('audience', `${format(count.people)} people`, 'Every accepted row is counted.')
}

function checkAccount({ account }: Checked): Check {
  if (!account.isActive)
    return blocker('account', 'The SMS account is off', `Switch ${account.name} on before you start.`)
  return pass('account', 'The SMS account is on', account.name)
}

function checkHeader({ account, template }: Checked): Check {
  if (!account.headers.includes(template.header))
    return blocker(
      'header',
      `${template.header} is not a header of the account`,
      `${account.name} sends as ${account.headers.join(', ') || 'nobody yet'}.`,
    )
  return pass('header', 'The header is registered', template.header)
}

function checkTemplate({ template }: Checked): Check {
  if (!template.belongsToAccount)
    return blocker(
      'template',
      'The template belongs to another account',
      'Choose a template of the SMS account you send with.',
    )
  if (template.status !== 'approved')
    return blocker('template', `The template is ${template.status}`, 'Only approved templates are sent.')
  return pass('template', 'The template is approved', 'The text is sent exactly as it was registered.')
}

/** Some providers add the ids themselves, so their absence is no certain refusal. */
function checkDltIds({ template, toIndia }: Checked): Check | undefined {
  if (!toIndia) return undefined
  const missing = [...(template.entityId ? [] : ['entity id']), ...(template.dltTemplateId ? [] : ['template id'])]
  if (missing.length > 0)
    return advice(
      'dlt',
      `No DLT ${missing.join(' and no ')}`,
      'Operators in India refuse texts without it, unless your provider adds it.',
    )
  return pass('dlt', 'The DLT ids are there', `Template ${template.dltTemplateId ?? ''}`)
}

/** The same on every channel: a row without a value is not sent. */
export function checkVariables({ count }: { count: Pick<Checked['count'], 'people' | 'missing'> }): Check {
  if (count.people > 0 && count.missing === count.people)
    return blocker(
      'variables',
      'No row has a value for every variable',
      'Choose a column, or a value for everyone, for each variable.',
    )
  if (count.missing > 0)
    return advice(
      'variables',
      `${rows(count.missing)} without a value`,
      'Skipped at no cost. Enter a value for empty cells to send to these rows as well.',
    )
  return pass('variables', 'Every variable has a value', 'In every row.')
}

/** The same on every channel: a cell that cannot be written as the format asks counts as empty. */
export function checkFormats({ count }: { count: Pick<Checked['count'], 'unreadable'> }): Check | undefined {
  if (count.unreadable === 0) return undefined
  return advice(
    'formats',
    `${rows(count.unreadable)} with a date or number that cannot be read`,
    'Counted as empty. Correct the file, or send the column as it is.',
  )
}

function checkValues({ count }: Checked): Check[] {
  const checks: Check[] = []
  if (count.tooLong > 0)
    checks.push(
      advice(
        'lengths',
        `${rows(count.tooLong)} with a value that is too long`,
        'Operators may refuse such messages. Cut the value to the length its tag allows.',
      ),
    )
  if (count.unfit > 0)
    checks.push(
      advice(
        'values',
        `${rows(count.unfit)} with a value that does not suit its tag`,
        'A numeric tag takes digits, an address tag a web address, and so on; operators refuse anything else.',
      ),
    )
  return checks.length > 0 ? checks : [pass('lengths', 'Every value fits its tag', 'In length and in kind.')]
}

function checkParts({ count, prices: { countries } }: Checked): Check {
  const unicode =
    count.unicode > 0
      ? ` ${rows(count.unicode)} ${count.unicode === 1 ? 'travels' : 'travel'} as Unicode, which halves what fits into a part.`
      : ''
  if (count.multipart === 0) return pass('parts', 'Every message is one part', `It costs one part each.${unicode}`)
  const extra = count.parts - (count.people - count.missing)
  const [price, ...others] = new Set(countries.map(({ rate }) => rate?.price))
  const more = price === undefined || others.length > 0 ? '' : ` and cost ₹${formatRupees(extra * price)} more`
  return advice(
    'parts',
    `${rows(count.multipart)} with more than one part`,
    `They need ${format(extra)} further ${extra === 1 ? 'part' : 'parts'}${more}.${unicode}`,
  )
}

function checkOptOut({ template }: Checked): Check | undefined {
  if (template.category !== 'promotional') return undefined
  if (optOutWords.test(template.body))
    return pass('opt-out', 'The text says how to opt out', 'Promotional messages have to.')
  return advice(
    'opt-out',
    'The text does not say how to opt out',
    'Promotional messages have to tell people how to stop them.',
  )
}

function checkPromotion({ template: { category }, hasConsent }: Checked): Check | undefined {
  return checkConsent(category === 'promotional', hasConsent)
}

/** The same on every channel: promotions go to people who agreed to them. */
export function checkConsent(isPromotion: boolean, hasConsent: boolean): Check | undefined {
  if (!isPromotion) return undefined
  if (hasConsent) return pass('consent', 'These people agreed to promotional messages', 'Confirmed with the audience.')
  return advice(
    'consent',
    'Consent of these people is not confirmed',
    'Promotional messages need their consent. Confirm it below the audience.',
  )
}

function checkWindow({ template, window, now, beginsAt }: Checked): Check {
  if (isWindowed(SmsCategory.parse(template.category)) && window && !keepsOperatorHours(window)) {
    return blocker(
      'window',
      'The hours reach beyond what operators allow',
      `These messages may leave between ${hoursInWords(promotionalWindow)}.`,
    )
  }
  if (!window) return pass('window', 'It may be sent at any hour', 'Its category has no hours of its own.')
  const hours = `Messages leave between ${hoursInWords(window)}.`
  if (beginsAt > now)
    return advice('window', 'Outside promotional hours', `${hours} What is not sent by then goes out the next day.`)
  return pass('window', 'It may be sent now', hours)
}

function checkExpiry({ expiresAt, beginsAt, endsAt }: Checked): Check | undefined {
  if (!expiresAt) return undefined
  if (expiresAt <= beginsAt)
    return blocker('expiry', 'It would end before it begins', 'Choose a later end, or an earlier start.')
  if (expiresAt < endsAt)
    return advice(
      'expiry',
      'It ends before everyone is reached',
      'At the rate of the account the last messages would come too late and are not sent.',
    )
  return pass('expiry', 'There is time enough', 'Everyone is reached before the campaign ends.')
}

function checkPrice({ prices: { unpriced } }: Checked): Check | undefined {
  return unpriced.length > 0
    ? blocker(
        'price',
        `There is no price for SMS to ${nameCountries(unpriced)}`,
        'Ask your account manager for a rate card, or leave these numbers out.',
      )
    : undefined
}

function checkBalance({ cost, available }: Checked): Check {
  const { short, needed, available: left } = formatShortage(cost, available)
  if (cost > available)
    return blocker(
      balanceCheck,
      `Insufficient balance: ₹${short} short`,
      `It costs ₹${needed}, and ₹${left} can be spent.`,
    )
  return pass(balanceCheck, 'Enough balance', `₹${formatRupees(available - cost)} left after sending.`)
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
