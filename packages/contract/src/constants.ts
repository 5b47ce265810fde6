/** Business constants of the specification used in several places. */

/** Below this balance in rupees, a low-balance notice is shown. */
export const lowBalanceRupees = 1000

/** Reconnection settings of the socket client, in milliseconds. */
export const socketTiming = {
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  timeout: 20_000,
} as const

/** Event type the socket client sends after an incoming message. */
export const typingEventType = 'IS_TYPING'

export { defaultChannels } from './channels/table.ts'
