import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Opens the campaign's report and checks funnel, reasons and recipients. */
export async function readReport(page: Page, { name, people }: { name: string; people: number }) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Individual reports', exact: true })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Individual reports' }).waitFor()
  await page.getByText(`${name} went to ${people} people`).waitFor()
  const failures = page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'Failures' }) })
  for (const title of ['Expired before delivery', 'The operator rejected the message'])
    await failures.getByRole('heading', { name: title }).waitFor()
  const recipients = page.getByRole('region', { name: 'Recipients table' })
  await recipients.getByRole('row').nth(25).waitFor()
  await page.getByLabel('Status', { exact: true }).last().selectOption({ label: 'Failed' })
  await expect.poll(() => recipients.getByRole('row').count()).toBeLessThan(12)
}

/** Searches for one number and opens the message it received. */
export async function lookUpNumber(page: Page, { number, name, text }: { number: string; name: string; text: string }) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Individual numbers', exact: true })
    .click()
  await page.getByLabel('Phone number').fill(number)
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByRole('listitem').filter({ hasText: name }).getByText('Delivered').waitFor()
  expect(await page.getByRole('complementary', { name: 'The message on the phone' }).innerText()).toContain(text)
}

export async function downloadNumbers(page: Page): Promise<string> {
  const path = await download(page, 'Numbers as CSV')
  return readFile(path, 'utf8')
}

/** The text of a workbook's cells, as its parts hold it. */
export async function downloadExcel(page: Page): Promise<string> {
  const parts = unzipSync(await readFile(await download(page, 'Excel workbook')))
  return Object.entries(parts)
    .filter(([name]) => name.startsWith('xl/'))
    .map(([, bytes]) => strFromU8(bytes))
    .join('\n')
}

async function download(page: Page, item: string): Promise<string> {
  await page.getByRole('button', { name: 'Download report' }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()])
  return file.path()
}
