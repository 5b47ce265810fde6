import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { openMenuOf } from './support/screen-acts.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

const path = '/organization/reports'
const schedules = `${path}?t=1`
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') })

async function isAccessible(page: Page) {
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

async function fillIn(page: Page, name: string) {
  const form = page.getByRole('dialog', { name: 'New schedule' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('radio', { name: 'Daily' }).click()
  await form.getByLabel('Format').selectOption('CSV')
  return form
}

test('a schedule is created, run, and its mail opens the report', { timeout: 120_000 }, async () => {
  const { page, allow } = await site.visit()
  allow(/status of 400 .*\/reports\/schedules/)
  await openAs(page, 'manager', schedules)
  await page.getByRole('heading', { name: 'Get reports without asking' }).waitFor()
  await isAccessible(page)
  await page.getByRole('button', { name: 'New schedule' }).first().click()
  const form = await fillIn(page, 'Morning figures')
  expect(await form.getByLabel('Addresses').inputValue()).toBe('manager@demo.test')
  await form.getByLabel('Addresses').fill('stranger@else.example')
  expect(await form.getByRole('region', { name: 'Next runs' }).getByRole('listitem').count()).toBe(3)
  await form.getByRole('button', { name: 'Create schedule' }).click()
  await form.getByText('Not an active member of your organization: stranger@else.example').waitFor()
  await isAccessible(page)
  await form.getByLabel('Addresses').fill('manager@demo.test')
  await form.getByRole('button', { name: 'Create schedule' }).click()
  await rows(page).filter({ hasText: 'Every day at 9:00 am' }).waitFor()

  await openMenuOf(page, 'Morning figures')
  await page.getByRole('menuitem', { name: 'Run now' }).click()
  await rows(page).filter({ hasText: 'Delivered' }).waitFor({ timeout: 30_000 })
  await page.getByText('Morning figures', { exact: true }).last().click()
  const log = page.getByRole('region', { name: 'Delivery log' })
  await log.getByText('Stored in the demo mailbox').waitFor()
  await isAccessible(page)

  const { rows: mails } = await site.stack.database.ownerPool.query<{ link: string }>(
    `select link from mails where subject like 'Morning figures%'`,
  )
  await page.goto(new URL(mails[0]?.link ?? '', page.url()).href)
  await page.getByRole('dialog').getByRole('heading', { name: 'Preview' }).waitFor()
})

test('a schedule is paused, resumed, changed, and deleted unless that is undone', { timeout: 120_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', schedules)
  await page.getByRole('button', { name: 'New schedule' }).first().click()
  const form = await fillIn(page, 'Evening figures')
  await form.getByRole('button', { name: 'Create schedule' }).click()
  const row = rows(page).filter({ hasText: 'Evening figures' })
  await row.waitFor()

  await openMenuOf(page, 'Evening figures')
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await row.getByText('Paused').waitFor()
  await openMenuOf(page, 'Evening figures')
  await page.getByRole('menuitem', { name: 'Resume' }).click()
  await row.getByText('Paused').waitFor({ state: 'detached' })

  await openMenuOf(page, 'Evening figures')
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit schedule' })
  await edit.getByRole('radio', { name: 'Weekly' }).click()
  await edit.getByLabel('Day', { exact: true }).selectOption('Friday')
  await edit.getByRole('button', { name: 'Save schedule' }).click()
  await row.getByText('Every Friday').waitFor()

  await openMenuOf(page, 'Evening figures')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()
})

test('the secret of a webhook is shown once, when its schedule is created', { timeout: 120_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', schedules)
  await page.getByRole('button', { name: 'New schedule' }).first().click()
  const form = await fillIn(page, 'Figures for the shop')
  await form.getByRole('radio', { name: 'Webhook' }).click()
  await form.getByLabel('URL').fill('https://93.184.216.34/hook')
  await form.getByRole('button', { name: 'Create schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Signing secret' })
  await dialog.getByText(/^whsec_/).waitFor()
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await rows(page).filter({ hasText: 'Figures for the shop' }).waitFor()
})

test('on a phone, schedules are cards and the form is a sheet', { timeout: 120_000 }, async () => {
  const { page } = await site.visit({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await openAs(page, 'manager', schedules)
  await page.getByRole('button', { name: 'New schedule' }).first().click()
  const form = await fillIn(page, 'Figures on the road')
  await isAccessible(page)
  await form.getByRole('button', { name: 'Create schedule' }).click()
  await page.getByText('Figures on the road').filter({ visible: true }).waitFor()
  await isAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
