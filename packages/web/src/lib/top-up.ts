import { useSyncExternalStore } from 'react'

/** What the dialog begins with. */
export type TopUp = {
  /** Rupees. */
  amount?: number | undefined
  /** What it is for. */
  note?: string
}

let asked: TopUp | undefined
const listeners = new Set<() => void>()

/** Opens the dialog that asks the account above for balance, from wherever money is short. */
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
