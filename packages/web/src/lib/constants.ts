/** Constants of the specification used only in the browser. */

/** Interval of session checks, in addition to each navigation. */
export const sessionCheckMs = 60_000

/** Maximum wait for another tab's session before the login page is shown. */
export const persistenceTimeoutMs = 5000

export const sidebarCookieSeconds = 7 * 24 * 60 * 60

export const mobileBreakpoint = 768

/** Duration of layout animations, such as the sidebar. */
export const layoutAnimationSeconds = 0.45

export const toasts = { visible: 3, durationMs: 4000, gap: 14, swipeThreshold: 20 } as const

/** Reads and writes that take longer show a 'still working' message. */
export const stillWorkingMs = 10_000

export const tooltips = { delayMs: 700, skipDelayMs: 300 } as const
