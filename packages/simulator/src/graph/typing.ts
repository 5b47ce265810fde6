export type Typing = {
  show: (phoneNumberId: string, waId: string) => void
  isShown: (phoneNumberId: string, waId: string) => boolean
  hide: (phoneNumberId: string, waId: string) => void
  clear: () => void
}

const shownMs = 25_000

/** Typing indicator until the business replies or 25 seconds have passed. */
export function createTyping(): Typing {
  const untilByPair = new Map<string, number>()
  return {
    show(phoneNumberId, waId) {
      untilByPair.set(`${phoneNumberId}/${waId}`, Date.now() + shownMs)
    },
    isShown: (phoneNumberId, waId) => (untilByPair.get(`${phoneNumberId}/${waId}`) ?? 0) > Date.now(),
    hide(phoneNumberId, waId) {
      untilByPair.delete(`${phoneNumberId}/${waId}`)
    },
    clear: () => untilByPair.clear(),
  }
}
