import { useEffect, useSyncExternalStore } from 'react'

/** When the data on screen was read, by the region that shows it. */
const times = new Map<symbol, number>()
const listeners = new Set<() => void>()

/** Registers when a region's data was read, while it is shown. */
export function useShown(at: number | undefined) {
  useEffect(() => {
    if (!at) return undefined
    const region = Symbol('region')
    times.set(region, at)
    announce()
    return () => {
      times.delete(region)
      announce()
    }
  }, [at])
}

/** The oldest of what is on the screen; undefined where nothing read from the server is shown. */
export function useShownSince(): number | undefined {
  return useSyncExternalStore(listen, oldest)
}

function oldest(): number | undefined {
  return times.size === 0 ? undefined : Math.min(...times.values())
}

function announce() {
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
