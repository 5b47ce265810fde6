import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

const wrong = (page: Page) => page.locator('[aria-invalid="true"]')
const isFocused = (page: Page, label: string) =>
  page.evaluate((name) => document.activeElement?.getAttribute('aria-label') === name, label)

test('all missing fields of an SMS account are marked at once, and each mark disappears when its field is filled', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', '/organization/channels/sms')
  await page.getByRole('button', { name: 'Connect account' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Connect an SMS account' })
  await sheet.getByRole('button', { name: 'Connect account' }).click()
  await expect.poll(() => wrong(page).count()).toBe(4)
  expect(await sheet.getByLabel('Name', { exact: true }).evaluate((box) => box === document.activeElement)).toBe(true)

  await sheet.getByLabel('Name', { exact: true }).fill('Route A')
  expect(await wrong(page).count()).toBe(3)
})

test('an SMS account is tested before it is saved; a rejected field is marked until it is changed', async () => {
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
  await sheet.getByText('The operator rejected the password').waitFor()
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

test('saving a template without a name opens the name for editing, with the focus in it', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', '/organization/manage-templates/create-sms')
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect.poll(() => isFocused(page, 'Name')).toBe(true)
  await page.getByText('Enter a name').waitFor()
  await page.getByText('Enter the text', { exact: true }).waitFor()

  await page.keyboard.type('order_update')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'order_update' }).waitFor()
  expect(await page.getByText('Enter a name').count()).toBe(0)
})

test('pasted text that is cut off shows a message', async () => {
  const { page, context } = await site.visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, 'manager', '/organization/manage-templates/create-sms')
  const text = page.getByRole('textbox', { name: /^Text/ })
  await page.evaluate(() => navigator.clipboard.writeText('Dear customer, '.repeat(200)))
  await text.click()
  await page.keyboard.press('Control+v')
  await page.getByText('Pasted text was cut at 1,600 characters').waitFor()
  expect((await text.inputValue()).length).toBe(1600)
  await page.keyboard.press('Backspace')
  await page.getByText('Pasted text was cut').waitFor({ state: 'detached' })
})

test('an error that the server reported is shown again when the form finds it', async () => {
  const { page, allow } = await site.visit()
  allow(/400/)
  await openAs(page, 'admin', '/admin/users')
  await page.getByRole('button', { name: 'Create account' }).click()
  const sheet = page.getByRole('dialog', { name: 'Create account' })
  await sheet.getByLabel('Business name').fill('Nagpur Oranges')
  await sheet.getByLabel('Email').fill('hello@nagpuroranges.test')
  await sheet.getByLabel('Opening balance').fill('much')
  await sheet.getByRole('button', { name: 'Create account' }).click()
  await sheet.getByText('Please enter a valid balance amount').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Actions for Kothrud Books' }).click()
  await page.getByRole('menuitem', { name: 'Add balance…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add balance: Kothrud Books' })
  const message = dialog.getByText('Please enter a valid balance amount')
  for (const amount of ['', '0', '12.345']) {
    await dialog.getByLabel('Amount').fill(amount)
    await page.keyboard.press('Enter')
    await message.waitFor()
    await dialog.getByLabel('Amount').fill('1')
    await message.waitFor({ state: 'detached' })
  }
})

test('a limit that is not a whole number is marked, and saving focuses it', async () => {
  const { page } = await site.visit()
  await openAs(page, 'admin', '/admin/users')
  await page.getByRole('link', { name: /^Kothrud Books/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Kothrud Books' })
  await sheet.getByRole('tab', { name: 'Limits' }).click()
  await sheet.getByLabel('Limit: Users').fill('many')
  await sheet.getByText('Enter a whole number').waitFor()
  await sheet.getByRole('button', { name: 'Save limits' }).click()
  await expect.poll(() => isFocused(page, 'Limit: Users')).toBe(true)
})

test('saving a colour with too little contrast focuses it', async () => {
  const { page, allow } = await site.visit()
  allow(/400/)
  await openAs(page, 'admin', '/admin/settings')
  await page.getByRole('tab', { name: 'Brand' }).click()
  const colour = page.getByLabel('Colour', { exact: true })
  await colour.fill('#ffff00')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => colour.evaluate((box) => box === document.activeElement)).toBe(true)
})

test('moving balance without sub-accounts shows an empty state that creates one', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager2', '/organization/sub-users')
  await page.getByRole('button', { name: 'Move balance' }).click()
  await page.getByRole('heading', { name: 'No sub-accounts yet' }).waitFor()
  await page.getByRole('button', { name: 'Create sub-account' }).click()
  await page.getByRole('dialog', { name: 'Create sub-account' }).waitFor()
})

test('a price that is not an amount is marked, one below the own price is shown as a loss', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller', '/reseller/settings')
  await page.getByRole('tab', { name: 'Rates' }).click()
  await page.getByLabel('Price list for').selectOption({ label: 'Kothrud Books' })
  await page.getByRole('button', { name: 'New card' }).click()
  const dialog = page.getByRole('dialog', { name: 'New prices: Kothrud Books' })
  await dialog.getByText('Set each price').click()
  const price = dialog.getByLabel('Price of SMS, India')
  await price.fill('cheap')
  await page.keyboard.press('Enter')
  const message = dialog.getByText('Enter a price for SMS, India: rupees, at most four decimals')
  await message.waitFor()
  await expect.poll(() => isFocused(page, 'Price of SMS, India')).toBe(true)

  await price.fill('0.01')
  await message.waitFor({ state: 'detached' })
  await dialog.getByText('1 price below your own: each such message is a loss').waitFor()
})

test('the prices of a rate card fit the dialog on a phone', async () => {
  const { page } = await site.visit({ viewport: { width: 390, height: 844 } })
  await openAs(page, 'admin', '/admin/settings')
  await page.getByRole('tab', { name: 'Rates' }).click()
  await page.getByRole('button', { name: 'New card' }).click()
  const price = page.getByRole('dialog').getByLabel('Price of SMS, India')
  await price.waitFor()
  const spaceLeft = await price.evaluate((field) => {
    const form = field.closest('form')?.getBoundingClientRect()
    return (form?.right ?? 0) - field.getBoundingClientRect().right
  })
  expect(spaceLeft).toBeGreaterThanOrEqual(0)
})

test('an error of the whole form is scrolled into view', async () => {
  const { page, allow } = await site.visit({ viewport: { width: 1440, height: 700 } })
  allow(/409/)
  await openAs(page, 'manager', '/organization/users')
  await page.getByRole('button', { name: 'Add user' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Add user' })
  await sheet.getByLabel('Name', { exact: true }).fill('Isha Rane')
  await sheet.getByLabel('Email').fill('isha@acme.test')
  await sheet.getByRole('switch', { name: 'Separate balance' }).click()
  await sheet.getByLabel('Opening balance').fill('9999999')
  await sheet.getByRole('button', { name: 'Add user' }).click()
  const refusal = sheet.getByRole('alert')
  await refusal.waitFor()
  const place = await refusal.boundingBox()
  const footer = await sheet.getByRole('button', { name: 'Add user' }).boundingBox()
  expect((place?.y ?? Infinity) + (place?.height ?? 0)).toBeLessThan(footer?.y ?? 0)
})
