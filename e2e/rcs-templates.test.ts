import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import { grayPng } from '@carillon/server/testing/gray-png'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { openMenuOf } from './support/screen-acts.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const list = '/organization/manage-templates/rcs'
const editor = `${list}/creation`

const site = useSite(
  async ({ url, simulator, cast }) => {
    const admin = await createClient(url, { username: 'admin', password: demoPassword })
    const { baseUrl, agentId: botId, control } = simulator.rbm
    const keyFile = JSON.stringify(control.serviceAccount())
    await admin.call('rcsPartner.set', { body: { keyFile, apiUrl: baseUrl, managementUrl: `${baseUrl}/management` } })
    const created = await admin.call<{ _id: string }>('bots.create', {
      body: { organizationId: cast.manager.id, provider: 'rbm', botId, ratePerSecond: 500 },
    })
    await admin.call('bots.registerWebhook', { path: { id: created._id } })
  },
  { rbm: { reviewMs: 30, launchMs: 30, testerMs: 20 } },
)

const cards = (page: Page) => page.getByRole('region', { name: 'Cards' }).locator('[data-card]')
const titles = async (page: Page) =>
  (await cards(page).allInnerTexts()).map((text) => text.replace(/^\d+\s*/, '').trim())
const phone = (page: Page) => page.getByRole('figure', { name: 'Preview of the message on the recipient’s phone' })

async function fillCard(page: Page, place: number, title: string) {
  await cards(page).nth(place).click()
  await page.getByRole('textbox', { name: /^Title/ }).fill(title)
}

test('a carousel is built with the mouse, saved, duplicated and deleted', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', editor)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('festive_carousel')
  await fillCard(page, 0, 'Brass diyas')
  await fillCard(page, 1, 'String lights')
  await page.getByRole('button', { name: 'Add card' }).click()
  await fillCard(page, 2, 'Sweets')
  await phone(page).getByText('Sweets').waitFor()

  // An image is cropped to 2:1 before it is uploaded.
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'sweets.png', mimeType: 'image/png', buffer: grayPng(900, 900) })
  await page.getByRole('dialog', { name: 'Crop the image' }).waitFor()
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/rcs/template-media'))
  await page.getByRole('button', { name: 'Use image' }).click()
  expect((await stored).ok()).toBe(true)
  await page.getByRole('textbox', { name: /^Alt text/ }).fill('A box of sweets')

  await page.getByRole('button', { name: 'Add suggestion to card 3' }).click()
  await page.getByRole('menuitem', { name: 'Open URL' }).click()
  await page.getByRole('textbox', { name: 'Label of suggestion 1 of card 3' }).fill('Shop sweets')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://acme.in/sweets')
  expect(await page.getByRole('textbox', { name: 'Postback of suggestion 1 of card 3' }).inputValue()).toBe(
    'shop_sweets',
  )
  await phone(page).getByRole('button', { name: 'Shop sweets' }).click()
  await phone(page).getByText('Opens acme.in/sweets in the browser').waitFor()
  await phone(page).getByRole('button', { name: 'Close' }).click()

  await cards(page).nth(2).dragTo(cards(page).nth(0))
  expect(await titles(page)).toEqual(['Sweets', 'Brass diyas', 'String lights'])
  await page.getByRole('status').filter({ hasText: 'Card 3 moved to position 1 of 3' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Actions of card 2' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  expect(await titles(page)).toEqual(['Sweets', 'String lights'])
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  expect(await titles(page)).toEqual(['Sweets', 'Brass diyas', 'String lights'])

  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByRole('heading', { name: 'RCS templates' }).waitFor()
  await openMenuOf(page, 'festive_carousel')
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  expect(await name.inputValue()).toBe('festive_carousel_copy')
  await page.getByRole('button', { name: 'Save template' }).click()
  await openMenuOf(page, 'festive_carousel_copy')
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete template' }).click()
  await page.getByText('festive_carousel_copy is deleted').waitFor()
  await page.getByRole('row').filter({ hasText: 'festive_carousel_copy' }).waitFor({ state: 'detached' })
})

test('a carousel is built with keys only', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', editor)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.waitFor()
  await name.focus()
  await page.keyboard.type('keyed_carousel')
  const write = async (place: number, title: string) => {
    await cards(page).nth(place).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: /^Title/ }).focus()
    await page.keyboard.type(title)
  }
  await write(0, 'First')
  await write(1, 'Second')
  await cards(page).nth(1).focus()
  await page.keyboard.press('Alt+ArrowUp')
  expect(await titles(page)).toEqual(['Second', 'First'])
  await page.getByRole('status').filter({ hasText: 'Card 2 moved to position 1 of 2' }).waitFor({ state: 'attached' })
  await page.keyboard.press('Control+d')
  expect(await titles(page)).toEqual(['Second', 'Second', 'First'])
  await page.keyboard.press('Control+z')
  expect(await titles(page)).toEqual(['Second', 'First'])
  await page.keyboard.press('Control+Shift+z')
  expect(await titles(page)).toEqual(['Second', 'Second', 'First'])

  // Typing the address of media keeps the focus in its field.
  await page.getByRole('radio', { name: 'URL' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('textbox', { name: 'Media URL' }).focus()
  await page.keyboard.type('https://acme.in/a.jpg')
  expect(await page.getByRole('textbox', { name: 'Media URL' }).inputValue()).toBe('https://acme.in/a.jpg')

  // The cards on the phone are moved with the arrow keys.
  await phone(page).getByRole('button', { name: 'Next card' }).focus()
  await page.keyboard.press('ArrowRight')
  await phone(page).getByText('3 / 3').waitFor()
  await page.keyboard.press('ArrowLeft')
  await phone(page).getByText('2 / 3').waitFor()

  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'RCS templates' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'keyed_carousel' }).waitFor()
})

test('errors are listed, lead to their field, and are fixed with one press', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', editor)
  await page.getByRole('button', { name: 'Save template' }).click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.getByText('Enter a name').first().waitFor()
  await name.fill('n'.repeat(110))
  await page.getByRole('button', { name: /^Shorten: At most 100 characters/ }).click()
  expect(await name.inputValue()).toHaveLength(100)
  await page.getByRole('button', { name: /^Show Add media, a title or a description, Card 2$/ }).click()
  await page.getByRole('heading', { name: 'Card 2 of 2' }).waitFor()
})

test.each(['light', 'dark'] as const)(
  'list, grid, editor and dialogs are accessible in the %s theme',
  async (theme) => {
    const { page, context } = await site.visit()
    await context.addInitScript((chosen) => localStorage.setItem('carillon.theme', chosen), theme)
    await openAs(page, 'manager', editor)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`accessible_${theme}`)
    await page.getByRole('button', { name: 'Add suggestion to the message' }).click()
    await page.getByRole('menuitem', { name: 'Add to calendar' }).click()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'From library' }).click()
    await page.getByRole('dialog', { name: 'Starter library' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use Order shipped' }).click()
    await phone(page).getByText('has shipped').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`accessible_${theme}`)
    await page.getByRole('button', { name: 'Save template' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: `accessible_${theme}` })
      .waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('radio', { name: 'Grid' }).click()
    await page.getByRole('link', { name: `accessible_${theme}` }).waitFor()
    expect(await findViolations(page)).toEqual([])
  },
)
