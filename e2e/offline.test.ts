import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAs, openByForm } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

const offlineBar = /^Offline\. Showing what was loaded at \d+:\d\d [ap]m\. Changes cannot be saved/

async function makeDraft(campaignName: string) {
  const manager = await createClient(site.url, { username: 'manager', password: demoPassword })
  await manager.call('drafts.create', {
    body: { campaignName, legs: [{ channel: 'sms', senderId: null, templateId: null }] },
  })
}

async function openTopUp(page: Page) {
  await page.getByRole('button', { name: /^Balance/ }).click()
  await page.getByRole('button', { name: 'Top up' }).click()
}

async function askForTopUp(page: Page) {
  await page.getByLabel('Amount').fill('500')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Request/ })
    .click()
}

test('offline, rows stay dimmed with their time, a write is rejected, and everything recovers', async () => {
  const { page, context, allow } = await site.visit()
  allow(/ERR_INTERNET_DISCONNECTED|WebSocket|websocket|Failed to load resource/)
  await makeDraft('Before the cut')
  await openAs(page, 'manager', '/organization/campaigns')
  const row = page.getByRole('row').filter({ hasText: 'Before the cut' })
  await row.waitFor()

  await openTopUp(page)
  await page.getByLabel('Amount').waitFor()
  await page.keyboard.press('Escape')
  await context.setOffline(true)
  await page.getByText(offlineBar).waitFor()
  const dimmed = () =>
    page.getByRole('region', { name: 'Campaigns' }).evaluate((list) => getComputedStyle(list).opacity)
  expect(await row.isVisible()).toBe(true)
  expect(await dimmed()).toBe('0.6')
  await openTopUp(page)
  await askForTopUp(page)
  await page.getByText('Network Error: Unable to connect to the server').waitFor()
  await page.keyboard.press('Escape')

  await makeDraft('After the cut')
  await context.setOffline(false)
  await page.getByRole('row').filter({ hasText: 'After the cut' }).waitFor()
  await page.getByText(offlineBar).waitFor({ state: 'detached' })
  expect(await dimmed()).toBe('1')
})

test('a dialog whose code is not loaded yet opens once there is a connection', async () => {
  const { page, context, allow } = await site.visit()
  allow(/ERR_INTERNET_DISCONNECTED|WebSocket|websocket|Failed to load resource/)
  await openAs(page, 'manager')
  // The code of the page itself is loaded.
  await page.getByRole('button', { name: /^Balance/ }).waitFor()
  await context.setOffline(true)
  await page.getByText(/^Offline\./).waitFor()
  await openTopUp(page)
  await context.setOffline(false)
  await page.getByLabel('Amount').waitFor()
})

test('a region without data says that it waits for the connection, and loads when the server responds again', async () => {
  const { page, context, allow } = await site.visit()
  allow(/ERR_FAILED|WebSocket|websocket/)
  await openAs(page, 'manager', '/organization/billing')
  const unreachable = (route: Route) => route.abort()
  await context.route(/\/(?:api|health)\//, unreachable)
  await page.getByRole('tab', { name: /Invoices/ }).click()
  const waits = page.getByText('Offline. This loads once the connection is back.')
  await waits.waitFor()
  await context.unroute(/\/(?:api|health)\//, unreachable)
  await waits.waitFor({ state: 'detached' })
  await page.getByText(/^Offline\./).waitFor({ state: 'detached' })
})

test('a slow read and a slow write show that they are in progress', async () => {
  const { page } = await site.visit()
  await page.clock.install()
  await openByForm(page, 'manager')
  const held: Route[] = []
  const hold = (route: Route) => void held.push(route)
  await page.route(/\/api\/v1\/campaigns\?/, hold)
  await page.route(/\/balance\/requestBalance/, hold)
  await page.goto('/organization/campaigns')
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await page.clock.fastForward(10_500)
  await page.getByText('Still working…').waitFor()
  for (const route of held.splice(0)) await route.continue()
  await page.getByText('Still working…').waitFor({ state: 'detached' })

  await openTopUp(page)
  await askForTopUp(page)
  await expect.poll(() => held.length).toBe(1)
  await page.locator('button[aria-busy=true]', { hasText: /^Request/ }).waitFor()
  await page.clock.fastForward(10_500)
  await page.getByRole('button', { name: 'Still working…' }).waitFor()
  for (const route of held.splice(0)) await route.continue()
  await page.getByText('Balance Request Sent').waitFor()
})
