import { useSyncExternalStore } from 'react'

/** Initial values of the dialog. */
export type TopUp = {
  /** Rupees. */
  amount?: number | undefined
  /** What it is for. */
  note?: string
}

let asked: TopUp | undefined
const listeners = new Set<() => void>()

/** Opens the top-up request dialog. */
export function askForTopUp(beginning: TopUp = {}) {
  change(beginning)
}

export function closeTopUp() {
  change(undefined)
}

export function useTopUp(): TopUp | undefined {
  return useSyncExternalStore(listen, () => asked)
}

function change(next: TopUp | undefined) {
  asked = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
