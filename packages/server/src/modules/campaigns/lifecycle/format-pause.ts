import { PauseReason } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { getChannel } from '../../../channels/index.ts'

const words: Record<PauseReason, string | undefined> = {
  manual: undefined,
  quiet_hours: 'Outside promotional hours',
  error_threshold: 'Too many messages failed',
  insufficient_balance: 'Insufficient balance',
  template_paused: 'The template is paused. Sending resumes automatically',
  template_disabled: 'The template was permanently disabled',
  sender_limited: 'The provider limits this sender: find out why, then resume',
  channel_disconnected:
    'The provider rejects the account’s credentials: renew them under Communication Channels. Sending resumes automatically',
  account_suspended: 'The account is suspended',
  admin_hold: 'On hold while balances are checked',
}

/** Why a campaign is paused; undefined if a user paused it. */
export function describePause(reason: string | null, channel: Channel): string | undefined {
  const known = PauseReason.safeParse(reason)
  return known.success ? (getChannel(channel).pauseTexts[known.data] ?? words[known.data]) : undefined
}

const resumptions: Partial<Record<PauseReason, string>> = {
  template_paused: 'The provider accepts its template again',
  sender_limited: 'The provider accepts its sender again',
  channel_disconnected: 'The provider accepts the account’s credentials again',
}

/** Why a campaign was resumed automatically, by the reason of its pause. */
export function describeResumption(reason: string | null): string | undefined {
  const known = PauseReason.safeParse(reason)
  return known.success ? resumptions[known.data] : undefined
}

/** What a campaign waits for after every recipient was tried. */
export function describeWaiting(
  { people, from }: { people: number; from: string },
  { timezone, channel }: { timezone: string; channel: Channel },
): string {
  const at = new Intl.DateTimeFormat('en-IN', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(from),
  )
  const { waitingReason = 'not every message could be sent' } = getChannel(channel)
  return `${people} ${people === 1 ? 'waits' : 'wait'}: ${waitingReason}; tried again from ${at}`
}

/** When the next part of a campaign that is split over several days is sent. */
export function describeNextDay({ at, people }: { at: Date; people: number }, timeZone: string): string {
  const when = new Intl.DateTimeFormat('en-IN', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(at)
  return `${people.toLocaleString('en-IN')} more ${people === 1 ? 'person gets' : 'people get'} it from ${when}: the number has a daily limit`
}
