import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAccount } from './people/visiting.ts'
import { findViolations } from './support/axe.ts'
import { openMenuOf } from './support/screen-acts.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

const path = '/organization/api-management'
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function isAccessible(page: Page) {
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

/** What a program gets with the key. */
async function statusWith(secret: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` }
  return (await fetch(`${site.url}/api/v1/balance/getBalance`, { headers })).status
}

/** Reads the secret that is shown, and closes the dialog. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = dialogOf(page, /^New key: /)
  const secret = await dialog.getByLabel('API key', { exact: true }).innerText()
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

async function createKey(page: Page, name: string, environment: 'Test' | 'Live' = 'Test'): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const sheet = dialogOf(page, 'Create API key')
  await sheet.getByLabel('Name', { exact: true }).fill(name)
  await sheet.getByRole('radio', { name: environment }).check()
  await sheet.getByRole('button', { name: 'Create key' }).click()
  return takeSecret(page)
}

const choose = async (page: Page, name: string, item: string) => {
  await openMenuOf(page, name)
  await page.getByRole('menuitem', { name: item }).click()
}

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim())

/** Whether any object or text of the page contains the text. */
async function isInMemory(context: BrowserContext, page: Page, text: string): Promise<boolean> {
  const session = await context.newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return chunks.join('').includes(text)
}

test('a key is created, shown once, gone afterwards, and works', { timeout: 60_000 }, async () => {
  const { page, context } = await site.visit()
  await openAs(page, 'manager2', path)
  await page.getByRole('heading', { name: 'Create your first API key' }).waitFor()
  await isAccessible(page)

  await page.getByRole('button', { name: 'Create key' }).click()
  const sheet = dialogOf(page, 'Create API key')
  expect(await sheet.getByRole('checkbox', { name: /balance:read/ }).isChecked()).toBe(true)
  expect(await sheet.getByRole('checkbox', { name: /campaigns:write/ }).isChecked()).toBe(false)
  await sheet.getByLabel('Name', { exact: true }).fill('Shop server')
  await isAccessible(page)
  await sheet.getByRole('button', { name: 'Create key' }).click()

  const dialog = dialogOf(page, 'New key: Shop server')
  const secret = await dialog.getByLabel('API key', { exact: true }).innerText()
  expect(secret).toMatch(/^carillon_test_[\da-f]{8}_[\da-f]{64}_[\da-f]{8}$/)
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await dialog.getByText('Copy the key first, or confirm that you have stored it.').waitFor()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  await dialog.getByRole('status').filter({ hasText: 'API key copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })

  const random = secret.split('_')[3]!
  expect(await page.content()).not.toContain(random)
  await page.evaluate(() => navigator.clipboard.writeText(''))
  // The button was in the empty state, which is gone.
  await expect.poll(() => focused(page)).toBe('API Control')
  await rowOf(page, 'Shop server').getByText('Not yet').waitFor()
  expect(await isInMemory(context, page, random)).toBe(false)

  expect(await statusWith(secret)).toBe(200)
})

test('a key is regenerated with an overlap, then at once', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', path)
  const first = await createKey(page, 'Overlap', 'Live')
  await choose(page, 'Overlap', 'Regenerate…')
  await isAccessible(page)
  await dialogOf(page, 'Regenerate Overlap?').getByRole('button', { name: 'Regenerate key' }).click()
  await page.getByText(/^The old secret works until /).waitFor()
  const second = await takeSecret(page)
  await expect.poll(() => focused(page)).toBe('Actions for Overlap')
  expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])

  await rowOf(page, 'Overlap').getByText('Overlap', { exact: true }).click()
  const sheet = dialogOf(page, 'Overlap')
  await sheet.getByText(/^The previous secret is valid as well until /).waitFor()
  await isAccessible(page)
  await sheet.getByRole('button', { name: 'Regenerate…' }).click()
  const again = dialogOf(page, 'Regenerate Overlap?')
  await again.getByText(/^The secret before the present one is valid until /).waitFor()
  await again.getByRole('radio', { name: /^End the old one now/ }).check()
  await again.getByRole('button', { name: 'Regenerate key' }).click()
  const third = await takeSecret(page)
  await expect
    .poll(() => Promise.all([first, second, third].map(statusWith)), { timeout: 8000 })
    .toEqual([401, 401, 200])
})

test('a key is deactivated after its name was typed', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', path)
  const secret = await createKey(page, 'Old shop')
  await expect.poll(() => focused(page)).toBe('Create key')
  await choose(page, 'Old shop', 'Deactivate…')
  const dialog = page.getByRole('alertdialog', { name: 'Deactivate Old shop?' })
  const confirm = dialog.getByRole('button', { name: 'Deactivate key' })
  await dialog.getByLabel('Type Old shop to confirm').fill('old shop')
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Type Old shop to confirm').fill('Old shop')
  await isAccessible(page)
  await confirm.click()
  await rowOf(page, 'Old shop').getByText('Deactivated').waitFor()
  await expect.poll(() => statusWith(secret), { timeout: 8000 }).toBe(401)
})

test('a pasted key is checked in place, with the reason, and not kept', { timeout: 60_000 }, async () => {
  const { page, context, allow } = await site.visit()
  allow(/400/)
  await openAs(page, 'manager', path)
  const secret = await createKey(page, 'Checked')
  await page.getByRole('button', { name: 'Check a key' }).click()
  const dialog = dialogOf(page, 'Check a key')
  const key = dialog.getByLabel('API key')
  const check = () => dialog.getByRole('button', { name: 'Check key' }).click()

  await key.fill(secret)
  await check()
  await dialog.getByText(/^Valid · \d scopes/).waitFor()
  await isAccessible(page)
  expect(await key.inputValue()).toBe('')
  expect(await page.content()).not.toContain(secret.split('_')[3])

  await dialog.getByLabel('For scope').selectOption('campaigns:write')
  await key.fill(secret)
  await check()
  await dialog.getByText('Rejected · scope missing').waitFor()
  await key.fill(`${secret.slice(0, -1)}x`)
  await check()
  await dialog.getByText('Rejected · unknown key').waitFor()
  await isAccessible(page)

  await dialog.getByLabel('From address').fill('home')
  await key.fill(secret)
  await check()
  await dialog.getByText('Enter an address such as 203.0.113.7').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
  expect(await isInMemory(context, page, secret.split('_')[3]!)).toBe(false)
})

test('the form shows what is wrong, and saves a change of the key', { timeout: 60_000 }, async () => {
  const { page, allow } = await site.visit()
  allow(/400/)
  await openAs(page, 'manager', path)
  await createKey(page, 'Changed')
  await choose(page, 'Changed', 'Edit…')
  const sheet = dialogOf(page, 'Edit Changed')
  await sheet.getByLabel('Name', { exact: true }).fill('')
  await sheet.getByLabel('Allowed addresses').fill('203.0.113.7\nhome')
  await sheet.getByRole('checkbox', { name: /messages:read/ }).uncheck()
  await sheet.getByRole('button', { name: 'Save key' }).click()
  await sheet.getByText('Enter a name').waitFor()
  await sheet.getByText(/^home: Enter an address such as/).waitFor()
  await isAccessible(page)
  await sheet.getByLabel('Name', { exact: true }).fill('Changed twice')
  await sheet.getByLabel('Allowed addresses').fill('203.0.113.7, 2001:db8::/48')
  await sheet.getByLabel('Expires').selectOption('30')
  await sheet.getByRole('button', { name: 'Save key' }).click()
  await sheet.waitFor({ state: 'detached' })
  const row = rowOf(page, 'Changed twice')
  await row.getByText(/^\d scopes?$/).waitFor()
  await row.getByText('Changed twice', { exact: true }).click()
  await dialogOf(page, 'Changed twice').getByText('2001:db8::/48').waitFor()
})

test('an account above can deactivate a key, and not change it', { timeout: 60_000 }, async () => {
  const user = await createClient(site.url, { username: 'user', password: demoPassword })
  await user.call('apiKeys.create', {
    body: {
      name: 'Kiosk',
      environment: 'test',
      scopes: ['messages:read'],
      keyConfigId: null,
      ipAllowlist: [],
      expiresAt: null,
    },
  })
  const { page } = await site.visit()
  await openAs(page, 'manager', `${path}?q=4b696f736b`)
  await openMenuOf(page, 'Kiosk')
  const edit = page.getByRole('menuitem', { name: 'Edit…' })
  expect(await edit.getAttribute('aria-disabled')).toBe('true')
  expect(await edit.innerText()).toContain('Only its owner can change it')
  await page.getByRole('menuitem', { name: 'Deactivate…' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Rohan Kulkarni is notified.').waitFor()
  await dialog.getByLabel('Type Kiosk to confirm').fill('Kiosk')
  await dialog.getByRole('button', { name: 'Deactivate key' }).click()
  await rowOf(page, 'Kiosk').getByText('Deactivated').waitFor()
})

test('an account without the module sees why, and nothing is requested', async () => {
  const { page } = await site.visit()
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const manager = await createClient(site.url, { username: 'manager', password: demoPassword })
  await manager.call('permissions.grant', {
    body: {
      userId: site.stack.cast.departmentHead.id,
      modulePermissions: [{ moduleName: 'api', granted: false }],
    },
  })
  await openAs(page, 'department-head', '/department-head/api')
  await page.getByText('You are not authorized to access this resource.').waitFor()
  await isAccessible(page)
  expect(requested.filter((call) => call.startsWith('/api/ums/'))).toEqual([])
})

test('the short address leads to the screen', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', '/organization/api')
  await page.waitForURL(`**${path}`)
  await page.getByRole('heading', { level: 1, name: 'API Control' }).waitFor()
})

test('while another account is viewed, keys can only be read', { timeout: 60_000 }, async () => {
  const { page: admin } = await site.visit()
  await openAs(admin, 'admin')
  const tab = await openAccount(admin, { name: 'Acme Retail', reason: 'A key that fails' })
  await tab.goto(path)
  const create = tab.getByRole('button', { name: 'Create key' }).first()
  await create.waitFor()
  expect(await create.getAttribute('aria-disabled')).toBe('true')
  await create.hover()
  await tab.getByRole('tooltip').filter({ hasText: 'Not allowed while viewing another account' }).waitFor()
  await create.click({ force: true })
  expect(await tab.getByRole('dialog').count()).toBe(0)
})
