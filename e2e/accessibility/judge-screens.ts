import { asSystem } from '@carillon/server/db/pool'
import { playStory } from '@carillon/server/demo/story'
import { addSupport } from '@carillon/server/demo/support'
import type { RunOnly } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addApiKeys } from '../support/api-key-screens.ts'
import { addReports } from '../support/report-screens.ts'
import { addRequests } from '../support/request-screens.ts'
import { addWebhooks } from '../support/webhook-screens.ts'
import { findViolations } from '../support/axe.ts'
import { useSharedPages } from '../support/shared-pages.ts'
import { animationsEnd, shots, windows } from '../support/screens.ts'
import { useSite } from '../support/visits.ts'
import { overlappingTexts } from './fit.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The themes differ only in colours, so only colour rules are checked in the dark theme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** One test per screen, in both themes, for one window size. */
export function judgeScreens(kind: 'desktop' | 'phone') {
  const site = useSite(
    async ({ url, simulator, database, cast, receiver }) => {
      await asSystem(database, (db) => addSupport(db, cast))
      await playStory({ url, simulator })
      await addApiKeys(url)
      await addWebhooks(url, receiver)
      await addRequests(url)
      await addReports(url)
    },
    {},
    { DEMO: 'true' },
  )
  const pages = useSharedPages(site, { allow: [/401/], viewport: sizeOf(kind), hasTouch: kind === 'phone' })
  const visible = shots.filter(({ except }) => except !== kind)

  test.each(visible)('$name', { timeout: 60_000 }, async (shot) => {
    const page = await pages.open(shot)
    expect(await hiddenAtTheSide(page)).toBe(0)
    expect(await overlappingTexts(page)).toEqual([])
    await showWhole(page)
    const inLight = await violationsOf(page, 'light')
    await darken(page)
    expect([...inLight, ...(await violationsOf(page, 'dark'))]).toEqual([])
  })
}

/** A page never scrolls horizontally (WCAG 1.4.10); wider content has its own scrolling region. */
async function hiddenAtTheSide(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** As tall as the page, so that sticky elements cover nothing. */
async function showWhole(page: Page) {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  if (whole > height) await page.setViewportSize({ width, height: whole })
}

/** Switches the theme without reloading the page. */
async function darken(page: Page) {
  await page.evaluate(() => document.documentElement.classList.add('dark'))
  await animationsEnd(page)
}

async function violationsOf(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  const runOnly: RunOnly = theme === 'light' ? { type: 'tag', values: tags } : { type: 'rule', values: colourRules }
  return (await findViolations(page, { runOnly })).map((violation) => `${theme}: ${violation}`)
}

function sizeOf(kind: 'desktop' | 'phone') {
  const { width, height } = windows[kind === 'desktop' ? 0 : 1]
  return { width, height }
}
