import { sidebarCookieSeconds } from './constants.ts'
import { useSyncExternalStore } from 'react'

const name = 'sidebar_state'
const listeners = new Set<() => void>()

/** Whether the sidebar is open; remembered for seven days. */
export function useSidebarOpen(): boolean {
  return useSyncExternalStore(listen, isOpen)
}

export function toggleSidebar() {
  document.cookie = `${name}=${isOpen() ? 'closed' : 'open'}; path=/; max-age=${sidebarCookieSeconds}; samesite=lax`
  for (const listener of listeners) listener()
}

function isOpen(): boolean {
  return !document.cookie.split('; ').includes(`${name}=closed`)
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
