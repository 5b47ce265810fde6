import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Account details as shown in Meta's screens, typed in by hand. */
export type Entry = {
  name: string
  wabaId: string
  token: string
  appId: string
  appSecret: string
  graphUrl: string
}

const steps = [
  'Token and permissions',
  'Account and numbers',
  'Webhooks subscribed',
  'Callback URL verified',
  'Number registered',
] as const

/** From the sidebar to an account that shows its connection steps. */
export async function connectByHand(page: Page, entry: Entry) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Communication Channels', exact: true })
    .click()
  await page.getByRole('link', { name: 'Manage WhatsApp' }).click()
  await page.getByRole('button', { name: 'Connect manually' }).click()

  const sheet = page.getByRole('dialog', { name: 'Connect WhatsApp manually' })
  await sheet.getByLabel('Name').fill(entry.name)
  await sheet.getByLabel('WhatsApp account id').fill(entry.wabaId)
  await sheet.getByLabel('Access token').fill(entry.token)
  await sheet.getByLabel('App id').fill(entry.appId)
  await sheet.getByLabel('App secret').fill(entry.appSecret)
  await sheet.getByRole('button', { name: 'Rarely needed settings' }).click()
  await sheet.getByLabel('Graph API URL').fill(entry.graphUrl)
  await sheet.getByRole('button', { name: 'Connect account' }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 2, name: entry.name }).waitFor()
}

const stepOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: title }) })

/** The first step names the problem, and later steps wait. */
export async function seeTokenRefused(page: Page) {
  const alert = stepOf(page, 'Token and permissions').getByRole('alert')
  await expect.poll(() => alert.innerText()).toMatch(/token/i)
  for (const title of steps.slice(1)) expect(await stepOf(page, title).innerText()).toContain('Waiting')
}

/** Only the token is typed; other stored settings remain, including the secret. */
export async function mendToken(page: Page, { name, token }: Pick<Entry, 'name' | 'token'>) {
  await page.getByRole('button', { name: 'Change' }).click()
  const sheet = page.getByRole('dialog', { name })
  await sheet.getByLabel('Access token').fill(token)
  await sheet.getByRole('button', { name: 'Save and check again' }).click()
  await sheet.waitFor({ state: 'detached' })
  for (const title of steps)
    await expect.poll(() => stepOf(page, title).innerText(), { timeout: 10_000 }).toContain('Passed')
  expect(await page.getByRole('listitem').getByRole('alert').count()).toBe(0)
}

export async function switchOn(page: Page, number: string) {
  await page.getByRole('tab', { name: 'Numbers' }).click()
  await page.getByText('No number is on').waitFor()
  const toggle = page.getByRole('switch', { name: `${number} sends and receives` })
  await toggle.click()
  await page.getByText(`${number} is switched on`).waitFor()
  await expect.poll(() => toggle.isChecked()).toBe(true)
}

/** The last step passes when Meta has reported the delivery. */
export async function sendFirstMessage(page: Page, { name, number }: { name: string; number: string }) {
  await page.getByRole('tab', { name: 'Accounts' }).click()
  const step = stepOf(page, 'Test message delivered')
  await step.getByLabel('Send a test to').fill(number)
  await step.getByRole('button', { name: 'Send test' }).click()
  await step.getByText(`Delivered to ${asRead(number)}`).waitFor()
  await page.locator('header').filter({ hasText: name }).getByText('Connected', { exact: true }).waitFor()
}

/** Formats +919900141200 as on screens: +91 99001 41200. */
const asRead = (number: string) => number.replace(/^(\+91)(\d{5})(\d{5})$/, '$1 $2 $3')
