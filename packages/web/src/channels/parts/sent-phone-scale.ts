/** Size of a sent message's phone where a screen names none. */
export const usualScale = 0.6
