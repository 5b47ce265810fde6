import { playStory } from '@carillon/server/demo/story'
import { expect, test } from 'vitest'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

async function openCampaigns(viewport = { width: 1440, height: 900 }) {
  const { page, context } = await site.visit({ viewport })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await takeSession(context, { url: site.url, username: 'manager' })
  await page.goto('/organization/campaigns')
  await settle(page)
  return page
}

test('Escape returns the focus to the row that the sheet showed last', async () => {
  const page = await openCampaigns()
  const rows = page.getByRole('row')
  const nameAt = async (place: number) =>
    (await rows.nth(place).getByRole('rowheader').locator('.font-medium').innerText()).trim()
  const [first, third] = [await nameAt(1), await nameAt(3)]
  await rows.nth(1).getByRole('link').click()
  await page.getByRole('dialog', { name: first }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const sheet = page.getByRole('dialog', { name: third })
  await sheet.waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('tr')?.querySelector('th .font-medium')?.textContent)
  await expect.poll(focused).toBe(third)

  // For a single row, what opened it.
  await rows.nth(1).getByRole('link').click()
  await page.getByRole('dialog', { name: first }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('A')
  expect(await focused()).toBe(first)
})

test('a dialog covers the side sheet that opened it', async () => {
  const page = await openCampaigns()
  await page.getByRole('row').filter({ hasText: 'Bhai Dooj gift cards' }).getByRole('link').click()
  const sheet = page.getByRole('dialog', { name: 'Bhai Dooj gift cards' })
  const { x, y } = (await sheet.getByRole('tab', { name: 'Recipients' }).boundingBox()) ?? { x: 0, y: 0 }
  await sheet.getByRole('button', { name: 'Reschedule…' }).click()
  await page.getByRole('dialog', { name: /^Reschedule/ }).waitFor()
  const isOverSheet = await page.evaluate(
    ([left, top]) => document.elementFromPoint(left, top)?.closest('[role=dialog]') !== null,
    [x + 10, y + 10] as const,
  )
  expect(isOverSheet).toBe(false)
})

test('a toast does not cover the buttons at the bottom of a side sheet', async () => {
  const page = await openCampaigns()
  await page.getByRole('row').filter({ hasText: 'Monsoon clearance' }).getByRole('link').click()
  const sheet = page.getByRole('dialog', { name: 'Monsoon clearance' })
  await sheet.getByRole('button', { name: 'Actions for Monsoon clearance' }).click()
  await page.getByRole('menuitem', { name: 'Copy id' }).click()
  const toast = page.getByText('Id copied')
  await toast.waitFor()
  const bottom = await toast.evaluate((words) => words.closest('[data-sonner-toast]')?.getBoundingClientRect().bottom)
  const { y } = (await sheet.getByRole('link', { name: 'Open report' }).boundingBox()) ?? { y: 0 }
  expect(bottom).toBeLessThanOrEqual(y)
})

test('a campaign that is on another page of the list opens from the search', async () => {
  const page = await openCampaigns()
  const { rows } = await site.stack.database.ownerPool.query<{ name: string }>(
    `select name from campaigns where created_by = (select id from accounts where username = 'manager') and not is_test
      order by created_at, id limit 1`,
  )
  const name = rows[0]?.name ?? ''
  expect(await page.getByRole('rowheader').filter({ hasText: name }).count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).waitFor()
  await page.keyboard.type(name)
  await page.getByRole('option', { name, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name }).getByRole('heading', { name: 'Timeline' }).waitFor()
})

test('an account that is on another page of the list opens from its link', async () => {
  const { page, context } = await site.visit()
  await takeSession(context, { url: site.url, username: 'admin' })
  const { rows } = await site.stack.database.ownerPool.query<{ id: string; name: string }>(
    `select id, name from accounts where username = 'user'`,
  )
  const { id = '', name = '' } = rows[0] ?? {}
  await page.goto(`/admin/users?q=no-such-account&c=${id}`)
  await page.getByRole('dialog', { name }).getByRole('tab', { name: 'Permissions' }).waitFor()
})

test('the account of a campaign opens in the list of accounts, which is searched for its name', async () => {
  const { page, context } = await site.visit()
  await takeSession(context, { url: site.url, username: 'reseller' })
  await page.goto('/reseller/campaigns')
  await page.getByRole('row').filter({ hasText: 'Monsoon clearance' }).getByRole('link').click()
  await page.getByRole('dialog').getByRole('link', { name: 'Open account' }).click()
  await page.getByRole('rowheader').filter({ hasText: 'Acme Retail' }).waitFor()
  expect(await page.getByRole('searchbox', { name: /^Search/ }).inputValue()).toBe('Acme Retail')
})
