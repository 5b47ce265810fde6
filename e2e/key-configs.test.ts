import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { openMenuOf } from './support/screen-acts.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

const path = '/organization/api-management?t=1'
const sheetOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function isAccessible(page: Page) {
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

const payloadOf = async (name: string) => {
  const { rows } = await site.stack.database.ownerPool.query<{ payload: object }>(
    'select payload from key_configs where name = $1',
    [name],
  )
  return rows[0]?.payload
}

async function openVisit() {
  const visit = await site.visit()
  visit.allow(/40[09]/)
  return visit.page
}

test('a config is created with the form, used by a key, and deleted afterwards', { timeout: 60_000 }, async () => {
  const page = await openVisit()
  await openAs(page, 'manager', path)
  await page.getByRole('heading', { name: 'Create your first key config' }).waitFor()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Create config' }).click()
  const sheet = sheetOf(page, 'Create key config')
  await sheet.getByLabel('Calls per second').fill('0')
  await sheet.getByLabel('Messages per day').fill('many')
  await sheet.getByLabel('Allowed countries').fill('IN\nindia')
  await sheet.getByRole('button', { name: 'Create config' }).click()
  await sheet.getByText('Enter a name').waitFor()
  await sheet.getByText('Enter 1 or more').waitFor()
  await sheet.getByText('india: Enter a country as two capital letters, such as IN').waitFor()
  expect(await sheet.getByLabel('Name', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(
    true,
  )
  await isAccessible(page)

  await sheet.getByLabel('Name', { exact: true }).fill('Orders')
  await sheet
    .getByRole('group', { name: /^Allowed channels/ })
    .getByRole('checkbox', { name: 'SMS' })
    .check()
  await sheet.getByLabel('Calls per second').fill('20')
  await sheet.getByLabel('Messages per day').fill('50,000')
  await sheet.getByLabel('In a day').fill('99.5')
  await sheet.getByLabel('Allowed countries').fill('IN, NP')
  await sheet.getByRole('switch', { name: 'Only templates' }).click()
  await sheet.getByRole('button', { name: 'Create config' }).click()
  await rowOf(page, 'Orders').getByText('20 calls/s · 50,000 messages/day · ₹99.50/day').waitFor()
  expect(await payloadOf('Orders')).toMatchObject({
    channels: { allowed: ['sms'] },
    filters: { allowedCountries: ['IN', 'NP'], templatesOnly: true },
    rate: { requestsPerSecond: 20, messagesPerDay: 50_000 },
    spend: { maxPerDay: 99.5 },
  })

  await page.getByRole('tab', { name: 'Keys', exact: true }).click()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const keySheet = sheetOf(page, 'Create API key')
  await keySheet.getByLabel('Name', { exact: true }).fill('Shop')
  await keySheet.getByLabel('Key config').selectOption('Orders')
  await keySheet.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('I have stored it').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await rowOf(page, 'Shop').getByText('Orders').waitFor()

  await page.getByRole('tab', { name: 'Key configs' }).click()
  await rowOf(page, 'Orders').getByText('Orders', { exact: true }).click()
  await sheetOf(page, 'Orders').getByRole('link', { name: 'Shop' }).waitFor()
  await isAccessible(page)
  await sheetOf(page, 'Orders').getByRole('button', { name: 'Delete…' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Delete Orders?' })
  await confirm.getByText('1 key uses this config. Give it another one first.').waitFor()
  expect(await confirm.getByRole('button', { name: 'Delete config' }).isDisabled()).toBe(true)
  await confirm.getByRole('button', { name: 'Cancel' }).click()

  await sheetOf(page, 'Orders').getByRole('link', { name: 'Shop' }).click()
  await sheetOf(page, 'Shop').getByRole('button', { name: 'Edit…' }).click()
  await sheetOf(page, 'Edit Shop').getByLabel('Key config').selectOption('None')
  await sheetOf(page, 'Edit Shop').getByRole('button', { name: 'Save key' }).click()
  await sheetOf(page, 'Edit Shop').waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Key configs' }).click()
  await rowOf(page, 'Orders').getByText('0', { exact: true }).waitFor()
  await openMenuOf(page, 'Orders')
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete config' }).click()
  await page.getByRole('heading', { name: 'Create your first key config' }).waitFor()
})

test('a config is changed as JSON, with errors at their lines', { timeout: 60_000 }, async () => {
  const page = await openVisit()
  await openAs(page, 'user', '/user/api-management?t=1')
  await page.getByRole('button', { name: 'Create config' }).click()
  const sheet = sheetOf(page, 'Create key config')
  await sheet.getByLabel('Name', { exact: true }).fill('As JSON')
  await sheet.getByRole('radio', { name: 'JSON' }).click()
  const payload = sheet.getByLabel('Payload')
  expect(JSON.parse(await payload.inputValue())).toEqual({ binding: { name: 'As JSON' } })

  await payload.fill('{\n  "binding": { "name": "As JSON" },\n  "rate": { "burst": 3 }\n  "spend": {}\n}')
  await sheet.getByText('Expected a comma or }').waitFor()
  await sheet.getByRole('button', { name: 'Create config' }).click()
  await sheet.getByRole('radio', { name: 'Form' }).click()
  await payload.waitFor()

  await payload.fill('{\n  "binding": { "name": "As JSON" },\n  "rate": {\n    "burst": 0\n  },\n  "color": "red"\n}')
  await sheet.getByRole('button', { name: 'Create config' }).click()
  await sheet.getByText('rate.burst: Enter 1 or more').waitFor()
  await isAccessible(page)
  const picked = () =>
    payload.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))
  await sheet.getByRole('button', { name: 'Line 4' }).click()
  expect(await picked()).toBe('"burst": 0')

  await payload.fill('{\n  "binding": { "name": "As JSON" },\n  "rate": {\n    "burst": 7\n  }\n}')
  await sheet.getByRole('radio', { name: 'Form' }).click()
  expect(await sheet.getByLabel('Calls at once').inputValue()).toBe('7')
  await sheet.getByRole('button', { name: 'Create config' }).click()
  await rowOf(page, 'As JSON').waitFor()
  expect(await payloadOf('As JSON')).toMatchObject({ rate: { burst: 7 } })
})

test('a payload of hundreds of lines is drawn in part', { timeout: 60_000 }, async () => {
  const manager = await createClient(site.url, { username: 'manager', password: demoPassword })
  const entries = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, at) => text(at))
  await manager.call('keyConfigs.create', {
    body: {
      binding: { name: 'Long' },
      filters: {
        allowedCountries: entries(250, () => 'IN'),
        blockedPrefixes: entries(200, (index) => `${91_000 + index}`),
        ipAllowlist: entries(100, (index) => `203.0.113.${index}`),
      },
    },
  })
  const page = await openVisit()
  await openAs(page, 'manager', path)
  await openMenuOf(page, 'Long')
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  const sheet = sheetOf(page, 'Edit Long')
  await sheet.getByRole('radio', { name: 'JSON' }).click()
  const payload = sheet.getByLabel('Payload')
  const lines = (await payload.inputValue()).split('\n').length
  expect(lines).toBeGreaterThan(550)
  const drawn = () => payload.evaluate((area) => area.previousElementSibling?.childElementCount ?? 0)
  expect(await drawn()).toBeLessThan(100)
  await payload.evaluate((area) => area.scrollTo({ top: area.scrollHeight }))
  await expect
    .poll(() => payload.evaluate((area) => area.previousElementSibling?.lastElementChild?.textContent))
    .toBe(String(lines))
  expect(await drawn()).toBeLessThan(100)
})

test('an account above sees a config, and cannot change it', async () => {
  const page = await openVisit()
  await openAs(page, 'manager', path)
  await openMenuOf(page, 'As JSON')
  for (const name of ['Edit…', 'Delete…'])
    expect(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true')
})
