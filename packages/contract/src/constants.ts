/** The business constants of the specification that both sides or several screens share. */

import type { Channel } from './channels.ts'

/** Accounts with a balance below this many rupees get a low-balance notice. */
export const lowBalanceRupees = 1000

/** Reconnection settings of the socket client, in milliseconds. */
export const socketTiming = {
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  timeout: 20_000,
} as const

/** The event type that the socket client sends after an incoming message. */
export const typingEventType = 'IS_TYPING'

/** The channel of each area until another one is chosen or named. */
export const defaultChannels = {
  audience: 'sms',
  campaigns: 'sms',
  optOuts: 'sms',
  examples: 'whatsapp',
} as const satisfies Record<string, Channel>
