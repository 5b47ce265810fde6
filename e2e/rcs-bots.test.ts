import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import { paintBanner, paintLogo } from '@carillon/server/demo/pictures'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(
  async ({ url, simulator }) => {
    const admin = await createClient(url, { username: 'admin', password: demoPassword })
    const { baseUrl, control } = simulator.rbm
    const keyFile = JSON.stringify(control.serviceAccount())
    await admin.call('rcsPartner.set', { body: { keyFile, apiUrl: baseUrl, managementUrl: `${baseUrl}/management` } })
  },
  { rbm: { reviewMs: 30, launchMs: 30, testerMs: 20 } },
)

const channel = '/organization/channels/rcs'
const phone = '+919812345120'

const dialog = (page: Page) => page.getByRole('dialog')
const fill = async (page: Page, label: string, text: string) => dialog(page).getByLabel(label).first().fill(text)
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const said = (page: Page, text: string | RegExp) => dialog(page).getByText(text).first().waitFor()

async function chooseImage(page: Page, index: number, content: Buffer) {
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/bot-assets'))
  await dialog(page)
    .locator('input[type=file]')
    .nth(index)
    .setInputFiles({ name: 'image.png', mimeType: 'image/png', buffer: content })
  expect((await stored).ok()).toBe(true)
}

async function requestBot(page: Page) {
  await openAs(page, 'manager', channel)
  await page.getByRole('heading', { name: 'Request your first bot' }).waitFor()
  await page.getByRole('button', { name: 'Request bot' }).first().click()
  // An incomplete request is refused at its fields, and the first one gets the focus.
  await press(page, 'Request bot')
  await said(page, 'Upload the logo')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name')
  await fill(page, 'Bot name', 'Acme Care')
  await fill(page, 'Brand', 'Acme Retail')
  await fill(page, 'Description', 'Help with orders')
  await fill(page, 'Colour', '#5eead4')
  await said(page, /^Contrast 1\.\d: at least 4\.5 is needed/)
  await dialog(page)
    .getByRole('button', { name: /^Use #/ })
    .click()
  await said(page, /passes/)
  await chooseImage(page, 0, paintLogo())
  await chooseImage(page, 1, paintBanner())
  await fill(page, 'Privacy policy', 'https://acme.example/privacy')
  await fill(page, 'Terms of service', 'https://acme.example/terms')
  await fill(page, 'Phone number', '+91 80471 81000')
  await press(page, 'Add phone number')
  await fill(page, 'Phone number 2', '+91 80471 81001')
  await fill(page, 'Website', 'https://acme.example')
  await fill(page, 'Principal entity id', '1234567890123456789')
  await fill(page, 'Contact at the brand', 'Asha Rao')
  await fill(page, 'Contact’s email address', 'asha@acme.example')
  await fill(page, 'What makes the bot send a message', 'An order')
  await fill(page, 'What people can do in the conversation', 'Track it')
  await fill(page, 'How people stop the messages', 'STOP ends them')
  await press(page, 'Request bot')
  await page.getByText('Requested: your administrator has been notified').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Acme Care' }).getByText('Requested').waitFor()
}

async function createAndLaunch(page: Page) {
  await openAs(page, 'admin', '/admin')
  await page.getByRole('link', { name: 'Open: 1 RCS bot request to answer' }).click()
  const row = page.getByRole('button', { name: 'Acme Care', exact: true })
  await row.focus()
  await page.keyboard.press('Enter')
  await said(page, '+91 80471 81001')
  await press(page, 'Create bot')
  await dialog(page).getByLabel('Messages per second').fill('100')
  await press(page, 'Create bot')
  await page.getByText('Acme Care has been created').waitFor()
  await row.click()
  await press(page, 'Request verification')
  await expect
    .poll(async () => {
      const isVerified = await dialog(page).getByRole('button', { name: 'Request launch…' }).isVisible()
      if (!isVerified) await press(page, 'Refresh')
      return isVerified
    })
    .toBe(true)
  await press(page, 'Request launch…')
  await dialog(page).getByRole('checkbox', { name: 'Airtel India' }).check()
  await press(page, 'Request launch')
  await dialog(page).getByRole('region', { name: 'Operators' }).getByText('Airtel').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => row.evaluate((button) => button === document.activeElement)).toBe(true)
}

test('a customer requests a bot, the administrator has it launched, and the customer sends a test', async () => {
  const { page } = await site.visit()
  await requestBot(page)
  const { page: adminPage } = await site.visit()
  await createAndLaunch(adminPage)

  await page.reload()
  const row = page.getByRole('listitem').filter({ hasText: 'Acme Care' }).first()
  await row.getByText('Airtel').waitFor()
  await row.getByRole('switch', { name: 'Acme Care is on' }).click()
  await row.getByText('Live', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Acme Care', exact: true }).click()
  await dialog(page).getByLabel('To', { exact: true }).fill(phone)
  await press(page, 'Send test')
  await page.getByText(/^Test sent/).waitFor()
  const { handset } = site.stack.simulator
  await expect.poll(() => handset.find(phone.slice(1))?.messages.map(({ text }) => text)).toEqual(['A test message'])

  // The administrator's changes reach the page of the bot; all contacts stay.
  await adminPage.getByRole('button', { name: 'Acme Care', exact: true }).click()
  await press(adminPage, 'Edit')
  await fill(adminPage, 'Description', '')
  await fill(adminPage, 'Principal entity id', '')
  await press(adminPage, 'Save')
  await said(adminPage, 'Enter a description')
  await fill(adminPage, 'Description', 'Help with orders and returns')
  await dialog(adminPage).getByText('Enter a description').waitFor({ state: 'detached' })
  expect(await dialog(adminPage).getByLabel('Messages per second').inputValue()).toBe('100')
  await press(adminPage, 'Save')
  await adminPage.getByText('Bot saved').waitFor()
  const agent = site.stack.simulator.rbm.control
    .overview()
    .agents.find(({ displayName }) => displayName === 'Acme Care')
  expect(agent?.profile).toMatchObject({ description: 'Help with orders and returns', phoneNumbers: [{}, {}] })
  const { rows } = await site.stack.database.ownerPool.query(`select details -> 'entityId' as id from rcs_bots`)
  expect(rows).toEqual([{ id: null }])
}, 120_000)
