import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import { verify } from '@carillon/server/testing/webhook-receiver'
import type { NewWebhookEndpoint } from '@carillon/contract/webhook-records'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { startReceiver, type Receiver } from './support/receiver.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'
import { openDeliveries } from './support/webhook-screens.ts'

const site = useSite()

const path = '/organization/api-management?t=3'
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

async function isAccessible(page: Page) {
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

/** Reads the secret that is shown, and closes the dialog. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = dialogOf(page, /^Signing secret of /)
  const secret = await dialog.getByLabel('Signing secret', { exact: true }).innerText()
  await isAccessible(page)
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)
  return secret
}

/** Throws unless the secret signed the last request. */
function verifyLast({ received }: Receiver, secret: string): unknown {
  return verify(secret, received.at(-1) ?? { body: '', headers: {} })
}

const addEndpoint = async (place: string, as: 'manager' | 'user' = 'manager') => {
  const client = await createClient(site.url, { username: as, password: demoPassword })
  const body = { url: site.stack.receiver.url(place), types: ['message.sent'] }
  const { id } = await client.call<NewWebhookEndpoint>('webhookEndpoints.create', { body })
  return { id, client }
}

const menuItem = async (page: Page, place: string, item: string) => {
  await page.getByRole('button', { name: new RegExp(`^Actions for .*${place}$`) }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const sendTest = async (page: Page) => {
  await page.getByRole('button', { name: 'Send test event' }).first().click()
  await dialogOf(page, 'Delivery of endpoint.test').waitFor()
}

test('an endpoint is added, gets a test event, and later what it missed', { timeout: 90_000 }, async () => {
  const { page } = await site.visit()
  const { receiver } = site.stack
  await openAs(page, 'manager', path)
  await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const sheet = dialogOf(page, 'Add endpoint')
  await sheet.getByLabel('URL').fill(receiver.url('/hooks'))
  await sheet.getByRole('group', { name: 'Campaigns' }).getByRole('checkbox', { name: 'Campaigns' }).check()
  await sheet.getByRole('button', { name: 'Add endpoint' }).click()
  const secret = await takeSecret(page)
  expect(secret).toMatch(/^whsec_/)
  await page.getByRole('row').filter({ hasText: '/hooks' }).getByText('10 types').waitFor()

  await openDeliveries('/hooks')(page)
  await page.getByRole('heading', { name: 'Nothing was delivered yet' }).waitFor()
  await isAccessible(page)
  await sendTest(page)
  const delivery = dialogOf(page, 'Delivery of endpoint.test')
  await delivery.getByText('Delivered', { exact: true }).waitFor()
  await delivery.getByLabel('Response body', { exact: true }).getByText('"received": true').waitFor()
  await delivery.getByLabel('Request body', { exact: true }).getByText('"message": "This is a test."').waitFor()
  const webhookId = String(receiver.received.at(-1)?.headers['webhook-id'])
  expect(await delivery.getByLabel('Request headers', { exact: true }).innerText()).toContain(webhookId)
  expect(verifyLast(receiver, secret)).toMatchObject({ type: 'endpoint.test' })
  await isAccessible(page)
  await page.keyboard.press('Escape')

  await receiver.close()
  await sendTest(page)
  await delivery.getByText('Failed, retrying').waitFor()
  // After the second attempt, the next is made in five minutes.
  await expect.poll(() => delivery.locator('ol > li').count(), { timeout: 30_000 }).toBe(2)
  await page.keyboard.press('Escape')
  await page.getByText(/^Every attempt since .* has failed/).waitFor()

  const again = await startReceiver(receiver.port)
  try {
    await page.getByRole('button', { name: 'Replay missed…' }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Replay missed?' })
    await confirm.getByText(/Each keeps its webhook-id/).waitFor()
    await isAccessible(page)
    await confirm.getByRole('button', { name: 'Replay missed' }).click()
    await page.getByText('1 delivery is sent again').waitFor()
    await expect.poll(() => page.getByRole('row').getByText('Delivered', { exact: true }).count()).toBe(2)
    expect(again.received).toHaveLength(1)
    await page.getByText('endpoint.test').first().click()
    await delivery.getByText('Replay', { exact: true }).first().waitFor()
  } finally {
    await again.close()
  }
})

test('a secret is rotated: both sign, and the new one is shown once', { timeout: 60_000 }, async () => {
  const receiver = await startReceiver(site.stack.receiver.port)
  try {
    const { id, client } = await addEndpoint('/rotated')
    const { page } = await site.visit()
    await openAs(page, 'manager', path)
    await menuItem(page, '/rotated', 'Rotate secret…')
    const dialog = dialogOf(page, 'Rotate secret?')
    expect(await dialog.getByRole('radio', { name: /^Sign with both secrets for 24 hours/ }).isChecked()).toBe(true)
    await isAccessible(page)
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText(/^Requests are signed with the previous secret as well until /).waitFor()
    const secret = await takeSecret(page)
    await client.call('webhookEndpoints.test', { path: { id }, body: {} })
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(verifyLast(receiver, secret)).toMatchObject({ type: 'endpoint.test' })
    expect(String(receiver.received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
  } finally {
    await receiver.close()
  }
})

test('errors of the form are at their fields, and a change is saved', { timeout: 60_000 }, async () => {
  const { page, allow } = await site.visit()
  allow(/400/)
  await addEndpoint('/edited')
  await openAs(page, 'manager', path)
  await menuItem(page, '/edited', 'Edit…')
  const sheet = dialogOf(page, /^Edit .*\/edited$/)
  await sheet.getByLabel('URL').fill('http://10.0.0.1/hooks')
  await sheet.getByRole('button', { name: 'Save endpoint' }).click()
  await sheet.getByText(/^10\.0\.0\.1 is not a public address/).waitFor()
  await isAccessible(page)
  await sheet.getByLabel('URL').fill(site.stack.receiver.url('/edited'))
  const all = sheet.getByRole('checkbox', { name: 'All events' })
  await all.check()
  await all.uncheck()
  await sheet.getByRole('button', { name: 'Save endpoint' }).click()
  await sheet.getByText('Choose at least one type').waitFor()
  await sheet.getByRole('checkbox', { name: /balance\.low/ }).check()
  await sheet.getByLabel('Description').fill('Of the accounting')
  await sheet.getByRole('button', { name: 'Save endpoint' }).click()
  await sheet.waitFor({ state: 'detached' })
  const row = page.getByRole('row').filter({ hasText: '/edited' })
  await row.getByText('1 type', { exact: true }).waitFor()
  await row.getByText('Of the accounting').waitFor()
})

test('an endpoint that is disabled says why, and is enabled and deleted', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  await addEndpoint('/paused')
  await openAs(page, 'manager', path)
  await menuItem(page, '/paused', 'Disable…')
  await page.getByRole('button', { name: 'Disable endpoint' }).click()
  const row = page.getByRole('row').filter({ hasText: '/paused' })
  await row.getByText('Disabled').waitFor()
  await row.getByText('/paused').click()
  const peek = dialogOf(page, /\/paused$/)
  await peek.getByText(/^A member disabled this endpoint on /).waitFor()
  const send = peek.getByRole('button', { name: 'Send test event' })
  expect(await send.getAttribute('aria-disabled')).toBe('true')
  await isAccessible(page)
  await peek.getByRole('button', { name: 'Enable…' }).click()
  await page.getByRole('button', { name: 'Enable endpoint' }).click()
  await peek.getByText('Not used yet').waitFor()

  await peek.getByRole('button', { name: 'Delete…' }).click()
  const confirm = page.getByRole('alertdialog')
  const button = confirm.getByRole('button', { name: 'Delete endpoint' })
  expect(await button.isDisabled()).toBe(true)
  await confirm.getByLabel(/^Type .* to confirm$/).fill(`127.0.0.1:${site.stack.receiver.port}`)
  await button.click()
  await row.waitFor({ state: 'detached' })
})

test('an account above sees the deliveries of an endpoint, and can only delete it', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  await addEndpoint('/below', 'user')
  await openAs(page, 'manager', path)
  await page.getByRole('button', { name: /^Actions for .*\/below$/ }).click()
  for (const name of ['Edit…', 'Send test event', 'Replay missed…', 'Rotate secret…', 'Disable…'])
    expect(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true')
  expect(await page.getByRole('menuitem', { name: 'Delete…' }).getAttribute('aria-disabled')).not.toBe('true')
  await page.keyboard.press('Escape')
  await openDeliveries('/below')(page)
  const send = page.getByRole('button', { name: 'Send test event' })
  await send.hover()
  await page.getByRole('tooltip').filter({ hasText: 'Only its owner can do this' }).waitFor()
})

test('deliveries are filtered and paged in the URL', { timeout: 60_000 }, async () => {
  const receiver = await startReceiver(site.stack.receiver.port)
  try {
    const { id, client } = await addEndpoint('/paged')
    for (let count = 0; count < 21; count += 1) await client.call('webhookEndpoints.test', { path: { id }, body: {} })
    await expect.poll(() => receiver.received.length).toBe(21)
    const { page } = await site.visit()
    await openAs(page, 'manager', `${path}&w=${id}`)
    const rows = page.getByRole('row').filter({ hasText: 'endpoint.test' })
    await expect.poll(() => rows.count()).toBe(20)
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await page.reload()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByText('21–21').waitFor()
    await page.goto(`${path}&w=${id}&u=1`)
    await page.getByText(/^No deliveries match/).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => rows.count()).toBe(20)
  } finally {
    await receiver.close()
  }
})

test('an endpoint that does not exist leads back to the list', async () => {
  const { page, allow } = await site.visit()
  allow(/404/)
  await openAs(page, 'manager', `${path}&w=0199a000-0000-7000-8000-000000000001`)
  await page.getByText('Webhook endpoint not found').waitFor()
  await isAccessible(page)
  await page.getByRole('link', { name: 'All endpoints' }).click()
  await page.getByRole('heading', { level: 1, name: 'API Control' }).waitFor()
})
