import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openMenuOf } from './support/screen-acts.ts'
import { quiet } from './support/quiet.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

async function openUsers(page: Page) {
  await openAs(page, 'reseller', '/reseller/users')
  await page.getByRole('row').filter({ hasText: 'Kothrud Books' }).waitFor()
  // It moves the rows down, away from the pointer.
  await page.getByText('Balance is ₹0.00').waitFor()
}

test('the name of a row and its menu stay in view, however narrow the window', async () => {
  const { page } = await site.visit({ viewport: { width: 800, height: 800 } })
  await openUsers(page)
  const table = page.getByRole('region', { name: /Users/ })
  const isInView = (name: RegExp | string, role: 'button' | 'rowheader') =>
    page
      .getByRole(role, { name })
      .first()
      .evaluate((cell) => {
        const { left, right } = cell.getBoundingClientRect()
        const frame = cell.closest('[role=region]')?.getBoundingClientRect()
        return frame !== undefined && left >= frame.left - 1 && left < frame.right && right > frame.left
      })
  await table.evaluate((frame) => (frame.scrollLeft = 0))
  expect(await isInView('Actions for Kothrud Books', 'button')).toBe(true)
  await table.evaluate((frame) => (frame.scrollLeft = frame.scrollWidth))
  expect(await isInView(/Kothrud Books/, 'rowheader')).toBe(true)
})

test('a row is a link: its URL opens in a new tab', async () => {
  const { page, context } = await site.visit()
  await openUsers(page)
  const link = page.getByRole('rowheader').filter({ hasText: 'Kothrud Books' }).getByRole('link')
  const tab = await context.newPage()
  await tab.goto((await link.getAttribute('href')) ?? '')
  await tab.getByRole('dialog', { name: 'Kothrud Books' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)

  await link.click()
  await page.getByRole('dialog', { name: 'Kothrud Books' }).waitFor()
})

test('the pointer on one cell marks the whole row', async () => {
  const { page } = await site.visit()
  await openUsers(page)
  const row = page.getByRole('row').filter({ hasText: 'Kothrud Books' })
  await row.getByRole('cell').nth(1).hover()
  await expect
    .poll(() =>
      row.evaluate((line) => new Set([...line.children].map((cell) => getComputedStyle(cell).backgroundColor)).size),
    )
    .toBe(1)
})

test('the focus stays on the page when the focused element disappears', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', '/organization/campaigns/sms-campaign-creation')
  const bodyHasIt = () => page.evaluate(() => document.activeElement === document.body)
  await page.getByRole('button', { name: 'Paste numbers' }).press('Enter')
  await page.getByRole('textbox', { name: 'Numbers' }).fill('9845011208')
  await page.getByRole('button', { name: 'Check 1 number' }).press('Enter')
  await page.getByText('of 1 rows').or(page.getByText('of 1 row')).first().waitFor()
  await expect.poll(bodyHasIt).toBe(false)

  await page.keyboard.press('Control+Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('t')).toBe('1')
  await page.keyboard.press('Control+Shift+Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('t')).toBe(null)
  await expect.poll(bodyHasIt).toBe(false)

  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  expect(await bodyHasIt()).toBe(false)
})

test('the SMS template builder has its heading without an SMS account', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', '/organization/manage-templates/create-sms')
  await page.getByText('Connect an SMS account first').waitFor()
  await page.getByRole('heading', { level: 1, name: 'New SMS template' }).waitFor()
})

test('the button to the next page keeps the focus on the last page', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager')
  for (let index = 0; index < 11; index++) await makeDraft(page, `Page ${index}`)
  await page.goto('/organization/campaigns')
  const next = page.getByRole('button', { name: 'Next page' })
  await next.press('Enter')
  await expect.poll(() => next.isDisabled()).toBe(true)
  expect(await next.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText(/^11–/).waitFor()
})

test('Enter and Space press the focused control of a list', async () => {
  const { page } = await site.visit()
  await openUsers(page)
  const header = page.getByRole('columnheader', { name: /^Account/ }).first()
  await header.getByRole('button').press('Enter')
  await expect.poll(() => header.getAttribute('aria-sort')).not.toBe('none')
  // A row that moves between keydown and keyup loses the focus.
  await quiet(page)

  const box = page.getByRole('checkbox', { name: 'Select Kothrud Books' })
  await box.press('Space')
  await expect.poll(() => box.isChecked()).toBe(true)
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Suspend' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await box.isChecked()).toBe(true)

  await page.getByRole('rowheader').filter({ hasText: 'Kothrud Books' }).getByRole('link').press('Enter')
  const peek = page.getByRole('dialog', { name: 'Kothrud Books' })
  await peek.getByRole('button', { name: 'Close' }).press('Space')
  await peek.waitFor({ state: 'detached' })
})

test('the panel of a tab shows that it has the focus', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', '/organization/billing')
  await page.getByRole('tab', { name: 'Overview' }).focus()
  await page.keyboard.press('Tab')
  const panel = page.getByRole('tabpanel')
  expect(await panel.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await panel.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
})

test('a tooltip does not block a click', async () => {
  const { page } = await site.visit()
  await openUsers(page)
  const tip = page.getByRole('tooltip')
  await page.getByRole('button', { name: 'Compact rows' }).hover()
  await tip.waitFor({ state: 'attached' })
  const isThrough = await tip.evaluate((words) => {
    const box = words.parentElement?.getBoundingClientRect()
    const under = box && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    return under !== null && under !== undefined && !words.parentElement?.contains(under)
  })
  expect(isThrough).toBe(true)
  expect(await openMenuOf(page, 'Kothrud Books')).toBeUndefined()
})

test('selected rows are exported, and the counts of the tabs follow the search', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager')
  for (const name of ['Diwali early', 'Diwali late', 'Holi']) await makeDraft(page, name)
  await page.goto('/organization/campaigns')
  await page.getByRole('checkbox', { name: 'Select Diwali late' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Export' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/,Recipients,Sent,Delivered,Read,Failed,Clicked,Replies,Cost \(₹\),/)
  expect(lines[1]).toContain('Diwali late')

  await page.getByRole('searchbox', { name: 'Search campaigns' }).fill('Diwali')
  await page.getByRole('tab', { name: 'Drafts 2' }).waitFor()
  await page.getByRole('tab', { name: 'SMS 2' }).waitFor()
})

/** Through the wizard's API call. */
async function makeDraft(page: Page, campaignName: string) {
  const status = await page.evaluate(async (name) => {
    const { auth } = JSON.parse(sessionStorage.getItem('carillon.session') ?? '{}')
    const answer = await fetch('/api/v1/campaign-drafts', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${auth.token}` },
      body: JSON.stringify({ campaignName: name, legs: [{ channel: 'sms', senderId: null, templateId: null }] }),
    })
    return answer.status
  }, campaignName)
  expect(status).toBe(200)
}
