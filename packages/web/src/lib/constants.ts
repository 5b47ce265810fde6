/** Constants of the specification that only the browser has. */

/** How often the session is looked at, beside each navigation. */
export const sessionCheckMs = 60_000

/** The longest wait for a session that another tab has; then the login page is shown. */
export const persistenceTimeoutMs = 5000

export const sidebarCookieSeconds = 7 * 24 * 60 * 60

export const mobileBreakpoint = 768

/** What moves when the layout changes, such as the sidebar. */
export const layoutAnimationSeconds = 0.45

export const toasts = { visible: 3, durationMs: 4000, gap: 14, swipeThreshold: 20 } as const

/** A read or a write that takes longer says that it goes on. */
export const stillWorkingMs = 10_000

export const tooltips = { delayMs: 700, skipDelayMs: 300 } as const
