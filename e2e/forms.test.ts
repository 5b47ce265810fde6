import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

const wrong = (page: Page) => page.locator('[aria-invalid="true"]')
const isFocused = (page: Page, label: string) =>
  page.evaluate((name) => document.activeElement?.getAttribute('aria-label') === name, label)

test('all that is missing of an SMS account is marked at once, and each mark goes when its field is filled', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager')
  await page.goto('/organization/channels/sms')
  await page.getByRole('button', { name: 'Connect account' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Connect an SMS account' })
  await sheet.getByRole('button', { name: 'Connect account' }).click()
  await expect.poll(() => wrong(page).count()).toBe(4)
  expect(await sheet.getByLabel('Name', { exact: true }).evaluate((box) => box === document.activeElement)).toBe(true)

  await sheet.getByLabel('Name', { exact: true }).fill('Route A')
  expect(await wrong(page).count()).toBe(3)
})

test('an SMS account is tried out before it is saved; a refused field is marked until it is changed', async () => {
  const { page, allow } = await site.visit()
  allow(/400/)
  await openAs(page, 'manager')
  const sheet = await fillAccount(page, { headers: 'X' })
  await sheet.getByRole('button', { name: 'Connect account' }).click()
  const message = sheet.getByText('A header is 3 to 11 letters and digits, or a number')
  await message.waitFor()
  expect(await sheet.getByLabel('Headers').evaluate((box) => box === document.activeElement)).toBe(true)

  await sheet.getByLabel('Headers').fill('ACMERT')
  await message.waitFor({ state: 'detached' })
  expect(await wrong(page).count()).toBe(0)
  await sheet.getByRole('button', { name: 'Connect account' }).click()
  await sheet.getByText('The operator says that the password is wrong').waitFor()
  await sheet.getByLabel('Password').fill('simulator')
  await sheet.getByRole('button', { name: 'Connect account' }).click()
  await sheet.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Open Route A' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Route A' })
  expect(await edit.getByLabel('Host').inputValue()).toBe('127.0.0.1')
  expect(await edit.getByLabel('Window').inputValue()).toBe('50')
  await edit.getByText('Stored. Leave empty to keep it.').waitFor()
})

async function fillAccount(page: Page, { headers }: { headers: string }) {
  await page.goto('/organization/channels/sms')
  await page.getByRole('button', { name: 'Connect account' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Connect an SMS account' })
  await sheet.getByLabel('Name', { exact: true }).fill('Route A')
  await sheet.getByLabel('Headers').fill(headers)
  await sheet.getByLabel('Host').fill('127.0.0.1')
  await sheet.getByLabel('Port').fill(String(site.stack.simulator.smscPort))
  await sheet.getByLabel('System id').fill('carillon')
  await sheet.getByLabel('Password').fill('guess')
  return sheet
}

test('a template without a name is not saved in silence: its name stands open, with the cursor in it', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager')
  await page.goto('/organization/manage-templates/create-sms')
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect.poll(() => isFocused(page, 'Name')).toBe(true)
  await page.getByText('Enter a name').waitFor()
  await page.getByText('Enter the text', { exact: true }).waitFor()

  await page.keyboard.type('order_update')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'order_update' }).waitFor()
  expect(await page.getByText('Enter a name').count()).toBe(0)
})

test('text that is cut when it is pasted is not cut in silence', async () => {
  const { page, context } = await site.visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, 'manager')
  await page.goto('/organization/manage-templates/create-sms')
  const text = page.getByRole('textbox', { name: /^Text/ })
  await page.evaluate(() => navigator.clipboard.writeText('Dear customer, '.repeat(200)))
  await text.click()
  await page.keyboard.press('Control+v')
  await page.getByText('Pasted text was cut at 1,600 characters').waitFor()
  expect((await text.inputValue()).length).toBe(1600)
  await page.keyboard.press('Backspace')
  await page.getByText('Pasted text was cut').waitFor({ state: 'detached' })
})
