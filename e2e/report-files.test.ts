import { playStory } from '@carillon/server/demo/story'
import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { openMenuOf } from './support/screen-acts.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(async ({ url, simulator }) => playStory({ url, simulator }))

const path = '/organization/reports'
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') })
const toastOf = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })

async function isAccessible(page: Page) {
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

/** Of the form as it is. */
const estimateOf = (page: Page) => page.locator('[role=status][aria-busy=false]').filter({ hasText: /≈ [\d,]+ rows?/ })

type Wanted = { report?: string; format?: string; isDetailed?: boolean }

async function generate(page: Page, { report = 'Campaigns', format = 'CSV', isDetailed = false }: Wanted = {}) {
  await page.getByLabel('Report', { exact: true }).selectOption(report)
  await page.getByLabel('Format', { exact: true }).selectOption(format)
  const detail = page.getByRole('switch', { name: 'One row per message' })
  if (isDetailed) await detail.check()
  await estimateOf(page).waitFor()
  await page.getByRole('button', { name: 'Generate report' }).click()
}

async function linesOf(download: Download): Promise<string[]> {
  return (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
}

/** The reports that the database has, by name. */
async function stored(): Promise<string[]> {
  const { rows: found } = await site.stack.database.ownerPool.query<{ name: string }>(
    'select name from reports order by created_at',
  )
  return found.map(({ name }) => name)
}

/** Whose figures no longer change. */
async function findEndedCampaign(): Promise<string> {
  const { rows: found } = await site.stack.database.ownerPool.query<{ name: string }>(
    `select campaigns.name from campaigns join messages on messages.campaign_id = campaigns.id
     where campaigns.status = 'completed' group by campaigns.id, campaigns.name having count(*) > 100
     order by count(*) desc limit 1`,
  )
  if (!found[0]) throw new Error('The demo has a campaign that ended')
  return found[0].name
}

test('a report is generated, becomes ready, and has the rows that were estimated', { timeout: 120_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', path)
  await page.getByRole('heading', { name: 'Your first report takes about 10 seconds' }).waitFor()
  await isAccessible(page)

  const campaign = await findEndedCampaign()
  await page.getByRole('combobox', { name: 'Campaign' }).click()
  await page.getByRole('combobox', { name: 'Search campaigns' }).fill(campaign)
  await page.getByRole('option', { name: campaign }).click()
  await generate(page, { isDetailed: true })
  const estimated = Number((await estimateOf(page).innerText()).replaceAll(/\D/g, ''))
  expect(estimated).toBeGreaterThan(100)
  const row = rows(page).filter({ hasText: campaign })
  await row.waitFor()
  const ready = toastOf(page, `${campaign} is ready`)
  await ready.waitFor({ timeout: 60_000 })
  await row.getByText('Ready', { exact: true }).waitFor()
  await isAccessible(page)

  const [fromToast] = await Promise.all([
    page.waitForEvent('download'),
    ready.getByRole('button', { name: 'Download' }).click(),
  ])
  const lines = await linesOf(fromToast)
  expect(fromToast.suggestedFilename()).toMatch(/ \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.csv$/)
  expect(lines[0]).toContain('Day,Campaign,Account,Number,Channel')
  expect(lines[1]).toContain(`,${campaign},`)
  expect(lines.length - 1).toBe(estimated)

  await row.click()
  const sheet = page.getByRole('dialog', { name: campaign })
  await sheet.getByRole('heading', { name: /^Peak: [\d,]+ on / }).waitFor()
  await sheet.getByText(`First 50 of ${estimated.toLocaleString('en-IN')} rows`).waitFor()
  await expect.poll(() => sheet.getByRole('region', { name: 'Preview' }).getByRole('row').count()).toBe(51)
  await isAccessible(page)
  await sheet.getByRole('button', { name: 'View as table' }).click()
  const days = sheet.getByRole('region', { name: 'Messages by day' })
  await expect.poll(() => days.getByRole('rowheader').count()).toBe(30)
  await isAccessible(page)
  const [fromSheet] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('button', { name: /^Download CSV · [\d.]+ [KM]?B/ }).click(),
  ])
  expect(await linesOf(fromSheet)).toEqual(lines)

  // The sheet is part of the address.
  await page.reload()
  await sheet.getByRole('heading', { name: 'Preview' }).waitFor()
})

test('a JSON report is a file, and an error in place of one is shown', { timeout: 120_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', path)
  await generate(page, { report: 'Usage and billing', format: 'JSON' })
  const ready = toastOf(page, 'Usage and billing is ready')
  await ready.waitFor({ timeout: 60_000 })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    ready.getByRole('button', { name: 'Download' }).click(),
  ])
  const report = JSON.parse(await readFile(await file.path(), 'utf8')) as { rows: object[] }
  expect(report.rows.length).toBeGreaterThan(0)

  const refusal = { success: false, message: 'Gone' }
  await page.route('**/api/v1/reports/download/*', (route) => route.fulfill({ json: refusal }))
  await rows(page)
    .filter({ hasText: 'Usage and billing' })
    .getByRole('button', { name: /^Download/ })
    .click()
  await toastOf(page, `Failed to download file: ${JSON.stringify(refusal)}`).waitFor()
})

test(
  'a deleted report can be restored for six seconds, and is gone after leaving the page',
  { timeout: 120_000 },
  async () => {
    const { page } = await site.visit()
    await openAs(page, 'manager', path)
    await generate(page, { report: 'Failures' })
    await toastOf(page, 'Failures is ready').waitFor({ timeout: 60_000 })
    const row = rows(page).filter({ hasText: 'Failures' })
    const remove = async () => {
      await openMenuOf(page, 'Failures')
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await row.waitFor({ state: 'detached' })
    }
    const isStored = async () => (await stored()).some((name) => name.startsWith('Failures'))

    await remove()
    await toastOf(page, 'Report deleted').getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
    await new Promise((resume) => setTimeout(resume, 6500))
    expect(await isStored()).toBe(true)

    await remove()
    await expect.poll(isStored, { timeout: 10_000 }).toBe(false)
    expect(await row.count()).toBe(0)

    await generate(page, { report: 'Failures', format: 'JSON' })
    await row.getByText('Ready', { exact: true }).waitFor({ timeout: 60_000 })
    await remove()
    await page.goto('about:blank')
    await expect.poll(isStored, { timeout: 4000 }).toBe(false)
  },
)

test(
  'a report whose file expired is generated again, and is repeated by a schedule',
  { timeout: 120_000 },
  async () => {
    const { page } = await site.visit()
    await openAs(page, 'manager', path)
    await page.getByLabel('Days').selectOption('last month')
    await generate(page, { report: 'Campaigns', format: 'PDF' })
    const row = rows(page).filter({ hasText: 'PDF' })
    await row.waitFor({ timeout: 60_000 })
    await site.stack.database.ownerPool.query(
      `update reports set status = 'expired', file_id = null, created_at = created_at - interval '2 minutes' where format = 'pdf'`,
    )
    await page.reload()
    await rows(page)
      .getByRole('button', { name: /^Generate again/ })
      .click()
    await row.getByText('Ready', { exact: true }).waitFor({ timeout: 60_000 })
    const { rows: found } = await site.stack.database.ownerPool.query<{ days: string }>(
      `select distinct first_day || ' ' || last_day as days from reports where format = 'pdf'`,
    )
    expect(found).toHaveLength(1)

    await row.getByRole('button', { name: /^Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Repeat every…' }).click()
    const form = page.getByRole('dialog', { name: 'New schedule' })
    expect(await form.getByLabel('Name').inputValue()).toBe('Campaigns')
    expect(await form.getByLabel('Format').inputValue()).toBe('pdf')
    await form.getByRole('button', { name: 'Create schedule' }).click()
    await rows(page).filter({ hasText: 'Day 1 of every month' }).waitFor()
  },
)

test('a report is repeated for the days that follow', { timeout: 120_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', path)
  await page.getByLabel('Days').selectOption('custom')
  await page.getByLabel('From', { exact: true }).fill('2026-02-01')
  await page.getByLabel('To', { exact: true }).fill('2026-02-28')
  await page.getByLabel('Channel', { exact: true }).selectOption('sms')
  await generate(page, { report: 'Delivery log' })
  await toastOf(page, 'Delivery log is ready').waitFor({ timeout: 60_000 })
  await page.getByLabel('Channel', { exact: true }).selectOption('rcs')
  await openMenuOf(page, 'Delivery log')
  await page.getByRole('menuitem', { name: 'Repeat for next period…' }).click()
  expect({
    from: await page.getByLabel('From', { exact: true }).inputValue(),
    to: await page.getByLabel('To', { exact: true }).inputValue(),
    channel: await page.getByLabel('Channel', { exact: true }).inputValue(),
    report: await page.getByLabel('Report', { exact: true }).inputValue(),
  }).toEqual({ from: '2026-03-01', to: '2026-03-31', channel: 'sms', report: 'delivery_log' })
})

test(
  'errors are at their fields, and a failed list offers to retry',
  { timeout: 60_000 },
  async ({ onTestFinished }) => {
    const visit = await site.keep()
    onTestFinished(({ task }) => site.end(visit, task))
    const { page, allow } = visit
    allow(/500|400/)
    await page.route('**/api/v1/reports/list?*', (route) => route.fulfill({ status: 500, body: '' }))
    await openAs(page, 'manager', path)
    await page.getByRole('alert').getByText('Failed to fetch available reports').waitFor()
    await isAccessible(page)
    await page.unroute('**/api/v1/reports/list?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Failed to fetch available reports').waitFor({ state: 'detached' })

    await page.getByLabel('Days').selectOption('custom')
    await page.getByLabel('From', { exact: true }).fill('2025-01-01')
    await page.getByLabel('To', { exact: true }).fill('2026-01-02')
    await page.getByRole('button', { name: 'Generate report' }).click()
    await page.getByText('Choose at most 366 days; these are 367').waitFor()
    await expect
      .poll(() => page.getByLabel('To', { exact: true }).evaluate((field) => field === document.activeElement))
      .toBe(true)
    await isAccessible(page)

    await page.getByLabel('Days').selectOption('7 days')
    await page.route('**/api/v1/reports/generate/**', (route) =>
      route.fulfill({
        status: 400,
        json: { success: false, code: 'bad_request', details: [{ field: 'to', message: 'Too late' }] },
      }),
    )
    await page.getByRole('button', { name: 'Generate report' }).click()
    await page.getByText('Too late').waitFor()
    await page.unroute('**/api/v1/reports/generate/**')
    await page.route('**/api/v1/reports/generate/**', (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByLabel('Days').selectOption('30 days')
    await page.getByRole('button', { name: 'Generate report' }).click()
    await page.getByRole('alert').getByText('Failed to generate campaign report').waitFor()
  },
)

test('on a phone the form is in a sheet', { timeout: 60_000 }, async () => {
  const { page } = await site.visit({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await openAs(page, 'manager', path)
  await page.getByRole('button', { name: 'Generate report' }).click()
  const sheet = page.getByRole('dialog', { name: 'Generate report' })
  await sheet.getByLabel('Days').selectOption('this month')
  await sheet.getByRole('button', { name: 'Generate report' }).click()
  await sheet.waitFor({ state: 'detached' })
  await toastOf(page, 'Campaigns is ready').waitFor({ timeout: 60_000 })
  await isAccessible(page)
})

test('a reseller has no such screen', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller')
  expect(await page.getByRole('navigation', { name: 'Main' }).getByText('Performance Reports').count()).toBe(0)
})

test(
  'a ledger statement has neither channel nor campaign, and its details have no chart',
  { timeout: 120_000 },
  async () => {
    const { page } = await site.visit()
    await openAs(page, 'manager', path)
    await page.getByLabel('Report', { exact: true }).selectOption('Ledger statement')
    await page.getByText('Each movement of balances, with the balance after it.').waitFor()
    expect(await page.getByLabel('Channel', { exact: true }).count()).toBe(0)
    expect(await page.getByLabel('Campaign', { exact: true }).count()).toBe(0)
    expect(await page.getByLabel('Report', { exact: true }).locator('optgroup').count()).toBe(5)
    await isAccessible(page)
    await generate(page, { report: 'Ledger statement' })
    const row = rows(page).filter({ hasText: 'Ledger statement' }).first()
    await row.getByText('Ready').waitFor()
    await row.click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('columnheader', { name: 'Balance after (₹)' }).waitFor()
    expect(await sheet.getByText('Messages per day').count()).toBe(0)
    expect(await sheet.getByText('All campaigns').count()).toBe(0)
    await isAccessible(page)
  },
)
