/** The business constants of the specification that both sides or several screens share. */

/** Below this balance, in rupees, an account is told that it is low. */
export const lowBalanceRupees = 1000

/** How the socket client connects again. */
export const socketTiming = {
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  timeout: 20_000,
} as const

/** What the socket client tells of itself when a message came in. */
export const typingEventType = 'IS_TYPING'
