import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Checks the campaign's report: messages by channel and cost. Returns the cost in rupees. */
export async function readReport(page: Page, { name, carried }: { name: string; carried: string }): Promise<number> {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Individual reports', exact: true })
    .click()
  const told = page.getByText(`${name} went to 1,000 people`)
  await expect.poll(() => told.innerText(), { timeout: 15_000 }).toContain(carried)
  const figure = (label: string) =>
    page.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd[1]').first()
  expect(await figure('Recipients').innerText()).toBe('1,000')
  return rupees(await figure('Cost').innerText())
}

/** The campaign's total on the statement: charges minus refunds. */
export async function addUpStatement(page: Page, name: string): Promise<number> {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Subscription & Billing', exact: true })
    .click()
  await page.getByRole('tab', { name: 'Statement' }).click()
  const rows = page
    .getByRole('region', { name: /^Statement/ })
    .getByRole('row')
    .filter({ hasText: name })
  await rows.first().waitFor()
  const amounts = await rows.evaluateAll((all) => all.map((row) => row.querySelectorAll('td')[1]?.textContent ?? ''))
  return -amounts.map(rupees).reduce((sum, amount) => sum + amount, 0)
}

export function rupees(text: string): number {
  const amount = Number(text.replaceAll(/[^\d.]/g, ''))
  return /^[-−–]/.test(text.trim()) ? -amount : amount
}

type Phone = { number: string; text: string; channel: 'WhatsApp messages' | 'Messages' }

/** Opens one phone on the page of simulated phones, and the thread of the message's channel. */
export async function seeOnPhone(context: BrowserContext, { url, ...phone }: Phone & { url: string }) {
  const page = await context.newPage()
  await page.goto(`${url}/#91${phone.number}`)
  await page.getByLabel('Search number, sender or text').fill(phone.number)
  await page.locator(`[data-number="91${phone.number}"]`).click()
  await page.getByRole('log', { name: phone.channel, exact: true }).getByText(phone.text).waitFor()
  await page.close()
}
