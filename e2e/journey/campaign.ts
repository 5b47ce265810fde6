import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { beginCampaign } from '../support/begin-campaign.ts'
import type { CustomerFile } from '../support/customer-file.ts'

type Audience = Omit<CustomerFile, 'people' | 'csv'>

/** Opens the wizard, names the campaign, uploads the file and checks the result of its rows. */
export async function uploadAudience(
  page: Page,
  { name, csv, expected }: { name: string; csv: string; expected: Audience },
) {
  await beginCampaign(page, { kind: 'SMS', name, csv })

  await page.getByText(`of ${expected.rows} rows`).waitFor()
  const counts = {
    Valid: expected.valid,
    Duplicate: expected.duplicate,
    Invalid: expected.invalid,
  }
  await expect.poll(() => readFigures(page, Object.keys(counts))).toEqual(counts)
  expect(expected.valid + expected.duplicate + expected.invalid).toBe(expected.rows)
}

async function readFigures(page: Page, labels: string[]): Promise<Record<string, number>> {
  const figures = labels.map(async (label) => {
    const text = await page
      .locator('dt', { hasText: label })
      .locator('xpath=following-sibling::dd[1]')
      .first()
      .innerText()
    return [label, Number(text.replaceAll(',', ''))] as const
  })
  return Object.fromEntries(await Promise.all(figures))
}

export async function chooseTemplate(page: Page, template: string) {
  await page.getByRole('button', { name: 'Next: Template' }).click()
  await page.getByText(template, { exact: true }).click()
  await page.getByRole('button', { name: 'Next: Personalise' }).click()
}

/** Columns named like the variables are matched automatically. */
export async function personalise(page: Page, example: string) {
  await page.getByText('Every row has a value that can be sent').waitFor()
  const phone = page.getByRole('figure', { name: 'Preview of the message on the recipient’s phone' }).first()
  await expect.poll(() => phone.innerText()).toContain(example)
  await page.getByRole('button', { name: 'Next: Review' }).click()
}

/** The cost is shown before the button; sending is confirmed with Enter. */
export async function reviewAndSend(page: Page, { people, cost }: { people: number; cost: string }) {
  const bar = page.getByRole('region', { name: 'Cost' })
  await bar.getByText(cost, { exact: true }).filter({ visible: true }).waitFor()
  await page.getByRole('button', { name: `Send to ${people} people` }).click()
  const held = page.getByRole('region', { name: 'Waiting to send' })
  await held.getByText(`Sending to ${people} people`).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/organization\/campaigns\?/)
}

/** The row shows the progress while messages are sent, and the end. */
export async function watchItGo(page: Page, name: string) {
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: name })
  await row.getByRole('progressbar').waitFor()
  await row.getByText('Completed', { exact: true }).waitFor({ timeout: 60_000 })
}
