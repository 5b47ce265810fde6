import { useSyncExternalStore } from 'react'

let text: string | undefined
const listeners = new Set<() => void>()

/** Shows the red alert at the top right, until closed or replaced. */
export function raiseSecurityAlert(message: string) {
  text = message
  announce()
}

export function closeSecurityAlert() {
  text = undefined
  announce()
}

export function isSecurityAlertShown(): boolean {
  return text !== undefined
}

export function useSecurityAlert(): string | undefined {
  return useSyncExternalStore(listen, () => text)
}

function announce() {
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
