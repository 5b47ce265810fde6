import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

async function openSupport(page: Page) {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Support' }).click()
}

const inThread = (page: Page) => page.getByRole('list', { name: 'Messages' })

test('a support request notifies the organisation, and its answer notifies the user', async () => {
  const { page: asking } = await site.visit()
  const { page: answering } = await site.visit()
  await openAs(answering, 'manager')
  await openAs(asking, 'user')

  await openSupport(asking)
  await asking.getByRole('button', { name: 'New request' }).first().click()
  await asking.getByLabel('What is it about?').fill('Reports arrive late')
  await asking.getByLabel('Message').fill('Since this morning.')
  await asking.getByRole('button', { name: 'Send request' }).click()
  await inThread(asking).getByText('Since this morning.').waitFor()

  // Pushed by the server, without a reload.
  await answering.getByText('New notifications').waitFor({ state: 'attached' })
  await answering.getByRole('button', { name: 'Notifications' }).click()
  await answering.getByRole('button', { name: /New support request/ }).click()
  await inThread(answering).getByText('Since this morning.').waitFor()

  await answering.getByLabel('Internal note').check()
  await answering.getByRole('textbox', { name: 'Note' }).fill('The same as last week.')
  await answering.getByRole('button', { name: 'Add note' }).click()
  await inThread(answering).getByText('The same as last week.').waitFor()
  await answering.getByLabel('Internal note').uncheck()
  await answering.getByRole('textbox', { name: 'Message' }).fill('We are on it.')
  await answering.keyboard.press('Control+Enter')

  await inThread(asking).getByText('We are on it.').waitFor()
  await asking.getByText('Awaiting your reply').waitFor()
  expect(await inThread(asking).innerText()).not.toContain('The same as last week.')

  await asking.getByRole('button', { name: 'Mark as resolved' }).click()
  await asking.getByRole('button', { name: 'Reopen' }).waitFor()
  await asking.getByRole('button', { name: 'Back to all requests' }).click()
  await asking.getByRole('button', { name: /Reports arrive late/ }).waitFor()
  expect(await asking.getByRole('dialog').innerText()).toContain('Resolved')
})

test('a saved brand applies immediately to its own accounts and its customers, and to no others', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller', '/reseller/settings?t=4')
  await page.getByLabel('Name', { exact: true }).fill('Deccan Post')
  await page.getByLabel('Colour', { exact: true }).fill('#5eead4')
  await page.getByText('choose a darker one').waitFor()
  await page.getByLabel('Colour', { exact: true }).fill('#0f766e')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Brand saved').waitFor()
  await expect.poll(() => page.title()).toContain('Deccan Post')
  const colour = (of: Page) => of.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'))
  expect(await colour(page)).toBe('#0f766e')

  const { page: customer } = await site.visit()
  await openAs(customer, 'manager')
  await expect.poll(() => customer.title()).toContain('Deccan Post')
  expect(await colour(customer)).toBe('#0f766e')

  const { page: admin } = await site.visit()
  await openAs(admin, 'admin')
  expect(await admin.title()).toContain('Carillon')
  expect(await colour(admin)).not.toBe('#0f766e')
})
