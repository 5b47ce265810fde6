import { useSyncExternalStore } from 'react'

/** How far the server's clock is ahead of the browser's. */
let offsetMs = 0

/** Notes the `now` of a response. */
export function noteServerTime(now: string) {
  const at = Date.parse(now)
  if (Number.isFinite(at)) offsetMs = at - Date.now()
}

export function serverNow(): number {
  return Date.now() + offsetMs
}

const tickMs = 10_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let shown = 0

/** The server's time, renewed every ten seconds. */
export function useServerNow(): number {
  return useSyncExternalStore(listen, () => shown || renew())
}

function renew(): number {
  shown = serverNow()
  return shown
}

function tick() {
  renew()
  for (const listener of listeners) listener()
}

/** Shows the present time at once, such as after a response that corrected the clock. */
export function renewServerNow() {
  if (listeners.size > 0) tick()
}

function listen(listener: () => void) {
  listeners.add(listener)
  if (timer === undefined) {
    timer = setInterval(tick, tickMs)
    renew()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    shown = 0
  }
}
