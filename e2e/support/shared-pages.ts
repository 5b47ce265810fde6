import { expect, onTestFinished } from 'vitest'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Visit } from './browser.ts'
import { quiet } from './quiet.ts'
import { settle } from './screens.ts'
import { takeSession } from './session-of.ts'
import type { Shot, Who } from './shot.ts'
import type { Site, TaskOf } from './visits.ts'

/** No screen has this address, so it unmounts the previous screen. */
const unknownAddress = 'no-such-screen'
const unknownTitle = 'Page not found'

/** Opens screens in pages that are reused for the whole test file, one page per account. */
export type SharedPages = {
  /** Opens the screen and runs its act, for a visitor with nothing stored. The test fails if a problem was recorded. */
  open(shot: Shot): Promise<Page>
}

/**
 * A page load takes ten times as long as a navigation inside the loaded application. So each account loads its page
 * once and the router shows the next screen in it; the page is reloaded only if something of the last screen remains.
 */
export function useSharedPages(
  site: Site,
  { allow, ...options }: BrowserContextOptions & { allow: readonly RegExp[] },
): SharedPages {
  const visits = new Map<Who | 'anonymous', Visit>()
  const used = new Set<Visit>()

  async function visitOf(who: Who | 'anonymous') {
    const kept = visits.get(who)
    if (kept) return kept
    const visit = await site.keep(options)
    visits.set(who, visit)
    for (const pattern of allow) visit.allow(pattern)
    if (who !== 'anonymous') await takeSession(visit.context, { url: site.url, username: who })
    return visit
  }

  async function judge(who: Who | 'anonymous', visit: Visit, task: TaskOf) {
    used.delete(visit)
    const problems = visit.problems.splice(0)
    if (task.result?.state === 'fail' || problems.length > 0) {
      visits.delete(who)
      await site.end(visit, task)
    }
    expect(problems).toEqual([])
  }

  return {
    async open(shot) {
      const who = shot.as ?? 'anonymous'
      const visit = await visitOf(who)
      if (!used.has(visit)) onTestFinished(({ task }) => judge(who, visit, task))
      used.add(visit)
      const { page } = visit
      const { viewport } = options
      if (viewport) await page.setViewportSize(viewport)
      if (shot.as && !shot.needsLoad && (await leave(page))) await enter(page, shot.path)
      else await load(page, shot.path)
      await settle(page)
      await shot.act?.(page)
      if (shot.act) await settle(page)
      return page
    },
  }
}

/** Unmounts the screen; false if the page has none yet or something of it would remain. */
async function leave(page: Page): Promise<boolean> {
  const area = new URL(page.url(), 'http://none').pathname.split('/')[1]
  if (!area) return false
  await page.mouse.move(0, 0)
  await changeAddress(page, `/${area}/${unknownAddress}`)
  const title = page.locator('h1').filter({ hasText: unknownTitle })
  // A form with unsaved changes keeps its screen.
  const asks = page.getByRole('alertdialog')
  await title.or(asks).first().waitFor()
  const remains = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"], [data-sonner-toast]')
  if ((await remains.count()) > 0) return false
  await forget(page)
  return true
}

async function enter(page: Page, path: string) {
  await changeAddress(page, path)
  const title = page.locator('h1').filter({ hasNotText: unknownTitle }).first()
  await title.waitFor()
  // While a part of the screen loads for the first time, React hides the whole screen.
  await quiet(page)
  await title.waitFor()
}

async function load(page: Page, path: string) {
  if (page.url().startsWith('http')) {
    await forget(page)
    // A signed-in page gets its session again while it loads.
    await page.evaluate(() => sessionStorage.clear())
  }
  await page.goto(path)
}

/** Like the history API: the event notifies the router. */
async function changeAddress(page: Page, path: string) {
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Clears what screens store in the browser, except the session. */
async function forget(page: Page) {
  await page.evaluate(() => {
    document.documentElement.classList.remove('dark')
    localStorage.clear()
    for (const key of Object.keys(sessionStorage)) if (key !== 'carillon.session') sessionStorage.removeItem(key)
  })
}
