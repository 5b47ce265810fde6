import type { Page, Request } from 'playwright-core'

/** Milliseconds without requests before a page counts as quiet. */
const quietFor = 100

type Traffic = { open: Set<Request>; lastChange: number }

const traffics = new WeakMap<Page, Traffic>()

/** Counts the page's requests from now on, for `quiet`. */
export function followRequests(page: Page): void {
  const traffic: Traffic = { open: new Set(), lastChange: Date.now() }
  traffics.set(page, traffic)
  const ended = (request: Request) => {
    traffic.open.delete(request)
    traffic.lastChange = Date.now()
  }
  page.on('request', (request) => {
    // Leaving a page cancels its requests, sometimes without an event.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) traffic.open.clear()
    traffic.open.add(request)
    traffic.lastChange = Date.now()
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
}

/** Waits until all responses have arrived and been drawn, and no new request follows. */
export async function quiet(page: Page): Promise<void> {
  const traffic = traffics.get(page)
  if (!traffic) return page.waitForLoadState('networkidle')
  await page.waitForLoadState('load')
  const deadline = Date.now() + 15_000
  while (Date.now() < deadline) {
    await page.evaluate(untilIdle)
    const pause = traffic.open.size > 0 ? quietFor : traffic.lastChange + quietFor - Date.now()
    if (pause <= 0) return
    await page.waitForTimeout(pause)
  }
}

/** Runs in the page: resolves when idle after a drawn frame. */
function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestIdleCallback(() => resolve(), { timeout: 2000 }))
  })
}
