import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createCustomer, rowOf, setOwnPassword } from './people/accounts.ts'
import { fundReseller } from './people/money.ts'
import { openAs, signIn } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(fundReseller)

const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement)
const tagInFocus = (page: Page) => page.evaluate(() => document.activeElement?.tagName)

test('a new support request focuses its first field', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller')
  await page.getByRole('button', { name: 'Support', exact: true }).click()
  await page.getByRole('button', { name: 'New request' }).first().click()
  await expect.poll(() => isFocused(page.getByLabel('What is it about?'))).toBe(true)
})

test('a switch that is disabled while it is saved keeps the focus', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller', '/reseller/users')
  await rowOf(page, 'Kothrud Books').getByRole('link').click()
  const sheet = page.getByRole('dialog', { name: 'Kothrud Books' })
  await sheet.getByRole('tab', { name: 'Permissions' }).click()
  const campaigns = sheet.getByRole('switch', { name: 'Campaigns for Kothrud Books' })
  await campaigns.press('Space')
  await expect.poll(() => campaigns.isChecked()).toBe(false)
  await expect.poll(() => isFocused(campaigns)).toBe(true)
})

test('a button that has nothing left to do keeps the focus', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller', '/reseller/quota-management')
  await page.getByRole('button', { name: 'Add 500 for Kothrud Books' }).click()
  const clear = page.getByRole('button', { name: 'Clear', exact: true })
  await clear.click()
  await expect.poll(() => clear.getAttribute('aria-disabled')).toBe('true')
  expect(await isFocused(clear)).toBe(true)
  // An empty selection cannot be reviewed.
  await page.getByRole('button', { name: 'Review transfers' }).press('Enter')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the form for the first password focuses its first field, and continues to the screen', async () => {
  const { page: selling } = await site.visit()
  const { page } = await site.visit()
  await openAs(selling, 'reseller')
  const customer = { name: 'Satara Paints', username: 'satara-paints', email: 'owner@satarapaints.test' }
  const given = await createCustomer(selling, customer)
  await page.goto('/')
  await signIn(page, customer.username, given)
  await expect.poll(() => isFocused(page.getByLabel('Temporary password'))).toBe(true)
  await setOwnPassword(page, { given, own: 'ultramarine and ochre' })
  await expect.poll(() => tagInFocus(page)).toMatch(/^(MAIN|H1)$/)
})

test('two invitations can be sent without moving the pointer', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller', '/reseller/users')
  await page.getByRole('button', { name: 'Invitations' }).click()
  const sheet = page.getByRole('dialog', { name: 'Invitations' })
  const send = sheet.getByRole('button', { name: 'Send invitation' })
  const place = await send.boundingBox()
  for (const name of ['first', 'second']) {
    await sheet.getByLabel('Email').fill(`${name}@solapurmills.test`)
    await send.click()
    await sheet
      .getByRole('listitem')
      .filter({ hasText: `${name}@solapurmills.test` })
      .first()
      .waitFor()
    await expect.poll(() => sheet.getByLabel('Email').inputValue()).toBe('')
    expect(await send.boundingBox()).toEqual(place)
    expect(await isFocused(send)).toBe(true)
  }
})

test('the palette opens a screen from a page where nothing had the focus', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller')
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search campaigns, screens and actions').fill('Users')
  await page.getByRole('option', { name: 'Users Management' }).click()
  await page.waitForURL('**/reseller/users')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})
