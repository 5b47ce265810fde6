import { useSyncExternalStore } from 'react'

const probeEveryMs = 5000
const probeTimeoutMs = 4000

/**
 * Whether the server can be reached. Only the server's responses count: `navigator.onLine` is wrong if the server runs on
 * the same machine or the network has no internet access.
 */
let isLost = false
let probe: Promise<boolean> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const onReturn = new Set<() => void>()

export function useConnected(): boolean {
  return useSyncExternalStore(listen, isConnected)
}

export function isConnected(): boolean {
  return !isLost
}

/** Registers a callback for each reconnection; returns the unsubscribe function. */
export function onReconnected(listener: () => void): () => void {
  onReturn.add(listener)
  return () => onReturn.delete(listener)
}

/** After a call without response: probes the server, immediately and then every few seconds. True if it responds. */
export function checkConnection(): Promise<boolean> {
  probe ??= askServer().then((isThere) => {
    probe = undefined
    noteAnswer(isThere)
    return isThere
  })
  return probe
}

/** Records whether a call got a response. */
export function noteAnswer(isThere: boolean) {
  clearTimeout(timer)
  if (!isThere) timer = setTimeout(() => void checkConnection(), probeEveryMs)
  if (isLost === !isThere) return
  isLost = !isThere
  if (typeof document !== 'undefined') document.documentElement.toggleAttribute('data-offline', isLost)
  for (const listener of listeners) listener()
  if (!isLost) for (const listener of onReturn) listener()
}

async function askServer(): Promise<boolean> {
  try {
    const answer = await fetch('/health/live', { cache: 'no-store', signal: AbortSignal.timeout(probeTimeoutMs) })
    return !isGateway(answer.status)
  } catch {
    return false
  }
}

/** Statuses a proxy returns if it cannot reach the server. */
export function isGateway(status: number): boolean {
  return status === 502 || status === 504
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

if (typeof window !== 'undefined') {
  window.addEventListener('online', () => void checkConnection())
  window.addEventListener('offline', () => void checkConnection())
}
