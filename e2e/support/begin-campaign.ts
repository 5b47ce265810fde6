import type { Page } from 'playwright-core'

type Begun = { kind: 'SMS' | 'WhatsApp'; name: string; csv: string }

/** From the list into a channel's wizard: the campaign is named, and its file is uploading. */
export async function beginCampaign(page: Page, { kind, name, csv }: Begun) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Campaign Management', exact: true })
    .click()
  await page.getByRole('button', { name: 'New campaign', exact: true }).first().click()
  await page.getByRole('menuitem', { name: `${kind} campaign` }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.keyboard.press('Enter')
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
}
