/** Default scale of a sent message's phone. */
export const usualScale = 0.6
