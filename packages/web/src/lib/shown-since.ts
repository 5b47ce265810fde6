import { useEffect, useSyncExternalStore } from 'react'

/** Load time of the data on screen, by region. */
const times = new Map<symbol, number>()
const listeners = new Set<() => void>()

/** Registers the load time of a region's data while it is shown. */
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

/** The oldest load time on screen; undefined if no server data is shown. */
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
