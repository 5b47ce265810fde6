import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { send } from './support/request-screens.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

const path = '/organization/api-management'

async function isAccessible(page: Page) {
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

async function createKey(name: string, as: 'manager' | 'manager2' = 'manager') {
  const client = await createClient(site.url, { username: as, password: demoPassword })
  const { secret } = await client.call<{ secret: string }>('apiKeys.create', {
    body: { name, environment: 'test', scopes: ['messages:send'] },
  })
  return { client, post: (place: string, body: object) => send(site.url, secret, { place, body }) }
}

const order = (last: string) => ({ to: `+9199999000${last}`, channel: 'sms', text: 'Your order is on its way' })
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') })

test(
  'a batch that was sent with a key is in the log, with its messages and masked bodies',
  { timeout: 90_000 },
  async () => {
    const { page } = await site.visit()
    await openAs(page, 'manager', path)
    await page.getByRole('tab', { name: 'Requests' }).click()
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
    await isAccessible(page)

    const { post } = await createKey('Shop')
    const messages = Array.from({ length: 13 }, (_, index) => (index === 12 ? { to: '12', text: 'No' } : order('12')))
    expect(await post('messages/batch', { messages })).toBe(200)
    const row = page.getByRole('row').filter({ hasText: 'POST /messages/batch · 200' })
    await row.getByText('1 refused').waitFor({ timeout: 20_000 })
    await row.getByText('Partially failed').waitFor()
    await isAccessible(page)

    await row.click()
    const sheet = page.getByRole('dialog', { name: 'POST /messages/batch' })
    await sheet.getByText('12 accepted · 1 refused').waitFor()
    await sheet.getByText('1 of 13 messages was refused.').waitFor()
    const request = await sheet.getByLabel('Request body', { exact: true }).innerText()
    expect(request).toContain('"to": "+91•••••••012"')
    expect(request).toContain('"text": "[24 characters]"')
    expect(request).not.toContain('order')
    await sheet.getByLabel('Response body', { exact: true }).getByText('"refused": 1').waitFor()
    const phones = sheet.getByText('+91 99999 00012')
    await expect.poll(() => phones.count()).toBe(10)
    await isAccessible(page)
    await sheet.getByRole('button', { name: 'Page 2' }).click()
    await expect.poll(() => phones.count()).toBe(2)

    // The sheet is part of the address.
    await page.reload()
    await sheet.getByText('12 accepted · 1 refused').waitFor()
  },
)

test('a refused call says what to do, and filters find it', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  const { post } = await createKey('Kiosk')
  expect(await post('messages', order('13'))).toBe(200)
  expect(await post('messages', { ...order('13'), colour: 'red' })).toBe(400)
  await openAs(page, 'manager', `${path}?t=4&u=5`)
  await page
    .getByRole('button', { name: /^Status/ })
    .first()
    .waitFor()
  await expect.poll(() => rows(page).count(), { timeout: 20_000 }).toBe(1)
  await page.getByText('POST /messages · 400 bad_request').click()
  const sheet = page.getByRole('dialog', { name: 'POST /messages' })
  await sheet.getByText('Unknown field').first().waitFor()
  await sheet.getByText('Correct the fields that the response names.').waitFor()
  await sheet.getByLabel('Request body', { exact: true }).getByText('"colour": "[3 characters]"').waitFor()
  expect(await sheet.getByRole('heading', { name: 'Messages', exact: true }).count()).toBe(0)
  await isAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Filter F' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Key', exact: true }).click()
  await page.getByRole('radio', { name: 'Kiosk' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('k')).toMatch(/^[\da-f-]{36}$/)
  await expect.poll(() => rows(page).count()).toBe(1)
})

test('a failed load offers to retry', { timeout: 60_000 }, async ({ onTestFinished }) => {
  const visit = await site.keep()
  onTestFinished(({ task }) => site.end(visit, task))
  const { page, allow } = visit
  allow(/500/)
  const { post } = await createKey('Broken', 'manager2')
  await page.route('**/ums-req/requests?*', (route) => route.fulfill({ status: 500, body: '' }))
  await openAs(page, 'manager2', `${path}?t=4`)
  await page.getByRole('alert').getByText('Failed to fetch UMS requests').waitFor()
  await isAccessible(page)
  await page.unroute('**/ums-req/requests?*')
  expect(await post('messages', { to: '12', text: 'No' })).toBe(400)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('POST /messages · 400 bad_request').waitFor({ timeout: 20_000 })
})

test('addresses of the other tabs are those of before', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${path}?t=3`)
  await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor()
  await page.goto(`${path}?t=2`)
  await page.getByRole('tab', { name: 'Quickstart', selected: true }).waitFor()
})
