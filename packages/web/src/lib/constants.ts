/** Constants of the specification that only the browser has. */

/** How often the session is looked at, beside each navigation. */
export const sessionCheckMs = 60_000

export const sidebarCookieSeconds = 7 * 24 * 60 * 60

export const mobileBreakpoint = 768

export const toasts = { visible: 3, durationMs: 4000, gap: 14, swipeThreshold: 20 } as const

/** A read or a write that takes longer says that it goes on. */
export const stillWorkingMs = 10_000

export const tooltips = { delayMs: 700, skipDelayMs: 300 } as const
