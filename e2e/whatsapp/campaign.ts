import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { beginCampaign } from '../support/begin-campaign.ts'

const next = (page: Page, step: string) => page.getByRole('button', { name: `Next: ${step}` }).click()
const phoneOf = (page: Page) =>
  page.getByRole('figure', { name: 'Preview of the message on the recipient’s phone' }).first()

/** Opens the WhatsApp wizard from the list, names the campaign and uploads the file. */
export async function bringPeople(page: Page, { name, csv, count }: { name: string; csv: string; count: string }) {
  await beginCampaign(page, { kind: 'WhatsApp', name, csv })
  await page.getByText(`of ${count} rows`).waitFor()
}

/** Chooses the approved template and the active number, and maps variables to columns. */
export async function chooseMessage(
  page: Page,
  { template, columns, example }: { template: string; columns: readonly string[]; example: string },
) {
  await next(page, 'Template')
  await page.getByRole('radio', { name: template }).check({ force: true })
  await next(page, 'Personalise')
  for (const [index, column] of columns.entries()) {
    const source = page.getByLabel('Value from').nth(index)
    const option = source.locator('option').filter({ hasText: column })
    await source.selectOption(await option.getAttribute('value'))
  }
  await expect.poll(() => phoneOf(page).innerText()).toContain(example)
}

/** Failover to SMS only for recipients without WhatsApp. */
export async function addFailover(page: Page, { template, example }: { template: string; example: string }) {
  await next(page, 'Failover')
  await page.getByRole('switch', { name: 'Fall back to SMS' }).click()
  const unreachable = page.getByRole('checkbox', { name: 'The number is not on WhatsApp' })
  await expect.poll(() => unreachable.isChecked()).toBe(true)
  await page.getByRole('checkbox', { name: 'Not delivered in time' }).uncheck()
  await page.getByRole('radio', { name: template }).check({ force: true })
  await page.getByRole('radio', { name: 'SMS, if it fails' }).click()
  await expect.poll(() => phoneOf(page).innerText()).toContain(example)
}

/** Sends the shown row as a test message and waits for its delivery. */
async function sendOneself(page: Page, number: string) {
  await page.getByLabel('Your number').fill(number)
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Test sent').waitFor()
  await page
    .getByRole('status')
    .getByText(/^(?:Delivered|Read)$/)
    .waitFor()
}

/** Visible above the bottom bar without scrolling. */
async function isInWindow(page: Page, button: string): Promise<boolean> {
  const box = await page.getByRole('button', { name: button }).boundingBox()
  const foot = await page.getByRole('button', { name: /^Send to/ }).boundingBox()
  return box !== null && foot !== null && box.y + box.height < foot.y
}

/** Both channels are priced before the button; sending is confirmed with Enter. */
export async function reviewBoth(page: Page, { people, least, most }: { people: string; least: string; most: string }) {
  await next(page, 'Review')
  // Passed checks take one line, so that the test send is visible without scrolling.
  const passes = page.getByRole('button', { name: /^\d+ checks pass/ })
  await passes.waitFor()
  expect(await isInWindow(page, 'Send test')).toBe(true)
  await passes.click()
  await page.getByText('Enough balance').waitFor()
  await passes.click()
  await sendOneself(page, '9900141300')
  const costs = page.getByRole('region', { name: 'Cost breakdown' })
  await costs.getByText(`between ${least} and ${most}`).waitFor()
  await page.getByRole('button', { name: `Send to ${people} people` }).click()
  const held = page.getByRole('region', { name: 'Waiting to send' })
  await held.getByText(`Sending to ${people} people`).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/organization\/campaigns\?/)
}

export async function watchItComplete(page: Page, name: string) {
  await page.getByRole('dialog', { name }).getByText('Test sent by ').waitFor()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: name })
  await row.getByText('Completed', { exact: true }).waitFor({ timeout: 90_000 })
}
