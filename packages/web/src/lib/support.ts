import { useSyncExternalStore } from 'react'

/** The open support panel and its subject. */
export type SupportPanel =
  | { kind: 'requests' }
  | { kind: 'request'; id: string }
  /** A new request, about a campaign if opened from one. */
  | { kind: 'new'; campaignId?: string }
  | { kind: 'feedback' }

let panel: SupportPanel | undefined
const listeners = new Set<() => void>()

/** Opens the support panel. */
export function openSupport(next: SupportPanel = { kind: 'requests' }) {
  change(next)
}

export function closeSupport() {
  change(undefined)
}

export function useSupportPanel(): SupportPanel | undefined {
  return useSyncExternalStore(listen, () => panel)
}

function change(next: SupportPanel | undefined) {
  panel = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
