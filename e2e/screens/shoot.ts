/** Pictures of the screens: `node e2e/screens/shoot.ts DIRECTORY [NAME…]`. Prints what the console said. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { serveStory } from './site.ts'
import type { Story } from './story.ts'

type Shot = { path: string; story?: Partial<Story>; anonymous?: true; act?: (page: Page) => Promise<void>; full?: true }

const shots: Record<string, Shot> = {
  login: { path: '/', anonymous: true },
  'login-error': {
    path: '/',
    anonymous: true,
    story: { failing: ['login'] },
    act: async (page) => {
      await page.getByLabel('Email or username').fill('ops@acmeretail.example')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  'unsafe-address': { path: '/organization?q=<script>', anonymous: true },
  'not-found': { path: '/organisation/campains' },
  overview: { path: '/organization', full: true },
  'overview-empty': { path: '/organization', story: { empty: true, balance: 640 } },
  'overview-failing': { path: '/organization', story: { failing: ['statusCounts', 'balance'] } },
  campaigns: { path: '/organization/campaigns' },
  'account-menu': {
    path: '/organization',
    act: async (page) =>
      page
        .getByRole('button', { name: /^Account/ })
        .filter({ visible: true })
        .click(),
  },
  logout: {
    path: '/organization',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Account/ })
        .filter({ visible: true })
        .click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
    },
  },
  palette: { path: '/organization', act: async (page) => page.keyboard.press('Control+KeyK') },
  notifications: {
    path: '/organization',
    act: async (page) => page.getByRole('button', { name: 'Notifications' }).click(),
  },
  restricted: {
    path: '/organization',
    story: { modules: [] },
    act: async (page) =>
      page
        .getByRole('button', { name: /Campaign Management/ })
        .first()
        .click(),
  },
  channels: { path: '/organization/channels' },
  gallery: { path: '/gallery', anonymous: true, full: true },
}

const [directory = '/tmp/screens', ...names] = process.argv.slice(2)
mkdirSync(directory, { recursive: true })
const browser = await launchBrowser()
const chosen = Object.entries(shots).filter(([name]) => names.length === 0 || names.includes(name))

for (const [name, shot] of chosen) {
  for (const { theme, width, height } of [
    { theme: 'light', width: 1440, height: 900 },
    { theme: 'dark', width: 1440, height: 900 },
    { theme: 'light', width: 390, height: 844 },
  ]) {
    await take(name, shot, { theme, width, height }).catch((error: unknown) =>
      console.log(`${name} ${theme} ${width}: ${String(error).slice(0, 300)}`),
    )
  }
}
await browser.close()

async function take(
  name: string,
  shot: Shot,
  { theme, width, height }: { theme: string; width: number; height: number },
) {
  const site = await serveStory({ balance: 12_480.5, ...shot.story })
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: 'reduce',
    hasTouch: width < 768,
    timezoneId: 'Asia/Kolkata',
  })
  await context.addInitScript((value) => localStorage.setItem('carillon.theme', value), theme)
  if (!shot.anonymous) {
    await context.addInitScript(() => {
      const auth = {
        token: 'a'.repeat(64),
        type: 'manager',
        username: 'acme.retail',
        email: 'ops@acmeretail.example',
        expiresAt: Date.now() / 1000 + 3600,
        isFirstLogin: false,
      }
      sessionStorage.setItem('carillon.session', JSON.stringify({ version: 1, auth, impersonation: null }))
    })
  }
  const page = await context.newPage()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/WebSocket|socket\.io|503|404/.test(message.text()))
      console.log(`${name}: ${message.text().slice(0, 400)}`)
  })
  page.on('pageerror', (error) => console.log(`${name}: ${error.message}`))
  await page.goto(`${site.url}${shot.path}`)
  await page.waitForTimeout(900)
  await shot.act?.(page)
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(directory, `${name}-${theme}-${width}.png`), fullPage: shot.full === true })
  await context.close()
  site.close()
}
