import { useSyncExternalStore } from 'react'

export type TopUp = { /** Rupees the dialog begins with; nothing when none is known. */ amount: number | undefined }

let asked: TopUp | undefined
const listeners = new Set<() => void>()

/** Opens the dialog that asks the account above for balance, from wherever money is short. */
export function askForTopUp(amount?: number) {
  change({ amount })
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
