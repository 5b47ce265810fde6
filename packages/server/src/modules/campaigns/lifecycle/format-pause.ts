import { PauseReason } from '@carillon/contract/campaign-records'

const words: Record<PauseReason, string | undefined> = {
  manual: undefined,
  quiet_hours: 'Outside promotional hours',
  error_threshold: 'Too many messages failed',
  insufficient_balance: 'Insufficient balance',
  template_paused: 'The template is paused by WhatsApp. Sending resumes automatically',
  template_disabled: 'The template was permanently disabled',
  sender_limited: 'WhatsApp limits this number, or its quality is low: check it in WhatsApp Manager, then resume',
  channel_disconnected:
    'The provider refuses the account’s credentials: renew them under Communication Channels. Sending resumes automatically',
  account_suspended: 'The account is suspended',
  admin_hold: 'Held by the administration while balances are checked',
}

/** Why a campaign is paused; undefined if a user paused it. */
export function describePause(reason: string | null): string | undefined {
  const known = PauseReason.safeParse(reason)
  return known.success ? words[known.data] : undefined
}

/** What a campaign waits for after every recipient was tried. */
export function describeWaiting({ people, from }: { people: number; from: string }, timezone: string): string {
  const at = new Intl.DateTimeFormat('en-IN', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(from),
  )
  return `${people} ${people === 1 ? 'waits' : 'wait'}: WhatsApp limits how many offers a person gets; tried again from ${at}`
}

/** When the next part of a campaign goes out that is split over days. */
export function describeNextDay({ at, people }: { at: Date; people: number }, timeZone: string): string {
  const when = new Intl.DateTimeFormat('en-IN', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(at)
  return `${people.toLocaleString('en-IN')} more ${people === 1 ? 'person gets' : 'people get'} it from ${when}: the number reaches only so many a day`
}
