import type { ServiceWindow } from './objects.ts'

export type Windows = {
  isOpen: (phoneNumberId: string, waId: string) => boolean
  isFreeEntry: (phoneNumberId: string, waId: string) => boolean
  /** The person wrote: 24 hours from now. */
  open: (phoneNumberId: string, waId: string, options: { isFromAd: boolean }) => void
  /** A reply to a person from an advertisement opens 72 hours in which every message is free. */
  answered: (phoneNumberId: string, waId: string) => void
  close: (phoneNumberId: string, waId: string) => void
  expiresAtMs: (phoneNumberId: string, waId: string) => number | undefined
  clear: () => void
}

const dayMs = 24 * 3_600_000
const freeEntryMs = 72 * 3_600_000

export function createWindows(): Windows {
  const windows = new Map<string, ServiceWindow>()
  const find = (phoneNumberId: string, waId: string) => windows.get(`${phoneNumberId}/${waId}`)
  const isOpen = (phoneNumberId: string, waId: string) => {
    const window = find(phoneNumberId, waId)
    return window !== undefined && window.lastInboundAtMs > Date.now() - dayMs
  }

  return {
    isOpen,
    isFreeEntry: (phoneNumberId, waId) => (find(phoneNumberId, waId)?.freeEntryUntilMs ?? 0) > Date.now(),
    open(phoneNumberId, waId, { isFromAd }) {
      const known = find(phoneNumberId, waId)
      windows.set(`${phoneNumberId}/${waId}`, {
        lastInboundAtMs: Date.now(),
        freeEntryUntilMs: known?.freeEntryUntilMs ?? 0,
        isFromAd: isFromAd || (known?.isFromAd ?? false),
      })
    },
    answered(phoneNumberId, waId) {
      const window = find(phoneNumberId, waId)
      if (!window?.isFromAd || !isOpen(phoneNumberId, waId)) return
      window.isFromAd = false
      window.freeEntryUntilMs = Date.now() + freeEntryMs
    },
    close(phoneNumberId, waId) {
      windows.delete(`${phoneNumberId}/${waId}`)
    },
    expiresAtMs(phoneNumberId, waId) {
      const window = find(phoneNumberId, waId)
      return window && window.lastInboundAtMs + dayMs
    },
    clear: () => windows.clear(),
  }
}
