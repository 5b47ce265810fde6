import { channelTraits } from '@carillon/contract/channels/table'
import type { Conversation } from '@carillon/contract/conversation-records'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** `none`: the channel has no such window. `soon`: less than two hours. `urgent`: less than fifteen minutes. */
export type WindowLevel = 'none' | 'open' | 'soon' | 'urgent' | 'closed'

export type ServiceWindow = {
  level: WindowLevel
  leftMs: number
  /** Of the whole window, from 0 to 1. */
  share: number
}

type Windowed = Pick<Conversation, 'channel' | 'windowExpiresAt'>

/** How much of the time remains in which the person may be written to freely. */
export function windowOf({ channel, windowExpiresAt }: Windowed, now: number): ServiceWindow {
  if (!channelTraits[channel].hasServiceWindow) return { level: 'none', leftMs: 0, share: 0 }
  const leftMs = windowExpiresAt ? Date.parse(windowExpiresAt) - now : 0
  if (!(leftMs > 0)) return { level: 'closed', leftMs: 0, share: 0 }
  const level = leftMs >= 2 * hour ? 'open' : leftMs >= 15 * minute ? 'soon' : 'urgent'
  return { level, leftMs, share: Math.min(1, leftMs / day) }
}

/** '41 m', '1 h 08 m', 'less than 1 m'. */
export function formatLeft(leftMs: number): string {
  const minutes = Math.floor(leftMs / minute)
  if (minutes < 1) return '< 1 m'
  if (minutes < 60) return `${minutes} m`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`
}

/** The same in a sentence: '41 min', '1 h 8 min'. */
export function formatLeftInProse(leftMs: number): string {
  const minutes = Math.floor(leftMs / minute)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}
