import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const header = 'ACMERT'
export const entityId = '1101554870000031245'

/** From the sidebar to an account that is connected to the operator. */
export async function connectAccount(page: Page, { name, smscPort }: { name: string; smscPort: number }) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Communication Channels', exact: true })
    .click()
  await page.getByRole('link', { name: 'Manage SMS' }).click()
  await page.getByRole('button', { name: 'Connect account' }).first().click()

  const sheet = page.getByRole('dialog', { name: 'Connect an SMS account' })
  await sheet.getByLabel('Name', { exact: true }).fill(name)
  await sheet.getByLabel('Parts per second').fill('60')
  await sheet.getByLabel('Headers').fill(header)
  await sheet.getByLabel('DLT entity id').fill(entityId)
  await sheet.getByLabel('Host').fill('127.0.0.1')
  await sheet.getByLabel('Port').fill(String(smscPort))
  await sheet.getByLabel('System id').fill('carillon')
  await sheet.getByLabel('Password').fill('simulator')
  await sheet.getByRole('button', { name: 'Connect account' }).click()
  await sheet.waitFor({ state: 'detached' })

  const row = page.getByRole('listitem').filter({ hasText: name })
  await row.getByRole('switch', { name: `${name} is active` }).click()
  await row.getByText('Connected', { exact: true }).waitFor()
}

/** Sends a test message and checks that it arrives on the phone. */
export async function sendMeATest(page: Page, { name, number }: { name: string; number: string }) {
  await page.getByRole('button', { name: `Open ${name}` }).click()
  const sheet = page.getByRole('dialog', { name })
  await sheet.getByLabel('To').fill(number)
  await sheet.getByRole('button', { name: 'Send test' }).click()
  await sheet.getByRole('status').getByText('Delivered').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
}

export async function makeTemplate(page: Page, { name, body }: { name: string; body: string }) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Template Management', exact: true })
    .click()
  await page.getByRole('button', { name: 'New template', exact: true }).click()
  await page.getByRole('menuitem', { name: 'SMS template' }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByLabel('DLT template id').fill('1107172648190025418')
  await page.getByRole('textbox', { name: /^Text/ }).fill(body)
  await page.getByLabel('Name of variable 1').fill('name')
  await page.getByLabel('Sample of name').fill('Priya')
  await page.getByLabel('Name of variable 2').fill('order')
  await page.getByLabel('Sample of order').fill('A-4821')

  const phone = page.getByRole('figure', { name: 'Preview of the message on the recipient’s phone' }).first()
  await expect.poll(() => phone.innerText()).toContain('Dear Priya, order A-4821 ships today.')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByRole('heading', { level: 1, name: 'SMS templates' }).waitFor()
  await page.getByRole('row').filter({ hasText: name }).waitFor()
}
