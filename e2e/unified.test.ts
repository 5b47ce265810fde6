import { demoPassword } from '@carillon/server/demo/cast'
import { createClient } from '@carillon/server/demo/client'
import { playStory } from '@carillon/server/demo/story'
import { orderReady } from '@carillon/server/testing/rcs-messages'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const unified = '/organization/campaigns/unified'
const name = 'Three ways to say it'

const site = useSite(
  async ({ url, simulator }) => {
    await playStory({ url, simulator })
    const manager = await createClient(url, { username: 'manager', password: demoPassword })
    await manager.call('rcsTemplates.create', { body: orderReady })
  },
  { rbm: { reviewMs: 30, launchMs: 30, testerMs: 20 } },
)

/** The last four digits decide: 0404 has no RCS, 0026 is not on WhatsApp. */
const csv = [
  'Mobile,name,order,amount',
  '9876541200,Asha,A-1,500',
  '9812340404,Ravi,A-2,200',
  '9812350404,Meena,A-3,100',
].join('\n')
const orderOf = async (page: Page) =>
  (await page.getByRole('list', { name: 'Messages in order' }).locator('li b').allInnerTexts()).map((text) =>
    text.trim(),
  )
const press = (page: Page, label: string | RegExp) => page.getByRole('button', { name: label }).press('Enter')
const nextStep = (page: Page) => page.keyboard.press('Control+Enter')

async function chooseTemplate(page: Page, channel: string, template: string) {
  const section = page.getByRole('region', { name: channel, exact: true })
  await section.getByRole('radio', { name: template }).first().focus()
  await page.keyboard.press('Space')
  await section.getByRole('button', { name: `Change the ${channel} template` }).waitFor()
}

test('a campaign over three channels is built with the keyboard, sent, and shown in list and week', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', unified)
  await page.getByRole('link', { name: 'New unified campaign' }).press('Enter')
  await press(page, 'Rename')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.keyboard.press('Enter')
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText('of 3 rows').waitFor()
  await nextStep(page)

  // The order: RCS first as suggested, then changed and back again, by keys and by the menu.
  await expect.poll(() => orderOf(page)).toEqual(['RCS', 'WhatsApp', 'SMS'])
  await page.getByRole('button', { name: /^Move RCS/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => orderOf(page)).toEqual(['WhatsApp', 'RCS', 'SMS'])
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Move RCS/)
  await page.keyboard.press('ArrowDown')
  await page.getByText('SMS cannot fail over to RCS').waitFor()
  await press(page, 'Actions for RCS')
  await page.getByRole('menuitem', { name: 'Move up' }).press('Enter')
  await expect.poll(() => orderOf(page)).toEqual(['RCS', 'WhatsApp', 'SMS'])
  expect(await findViolations(page)).toEqual([])
  await nextStep(page)

  await chooseTemplate(page, 'RCS', 'order_ready')
  await chooseTemplate(page, 'WhatsApp', 'order_shipped')
  await chooseTemplate(page, 'SMS', 'order_update')
  expect(await findViolations(page)).toEqual([])
  await nextStep(page)

  const whatsapp = page.getByRole('region', { name: 'WhatsApp after RCS' })
  await whatsapp.getByRole('combobox', { name: 'Unit of: Time until not delivered in time' }).selectOption('days')
  await whatsapp.getByRole('spinbutton', { name: 'Time until not delivered in time' }).fill('4')
  await whatsapp.getByText('30 seconds to 3 days').first().waitFor()
  await whatsapp.getByRole('spinbutton', { name: 'Time until not delivered in time' }).fill('3')
  expect(await findViolations(page)).toEqual([])
  await nextStep(page)

  await page.getByText('no RCS, not delivered after 3 days').waitFor()
  await page.getByRole('button', { name: 'Send to 3 people' }).press('Enter')
  await page.getByRole('region', { name: 'Waiting to send' }).getByText('Sending to 3 people').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/organization\/campaigns\?/)

  await page.goto(unified)
  const row = page.getByRole('row').filter({ hasText: name })
  await row.getByText('RCS, then WhatsApp, then SMS').waitFor({ state: 'attached' })
  await page.getByRole('tab', { name: 'Week' }).click()
  for (const channel of ['RCS', 'WhatsApp', 'SMS'])
    await page
      .getByRole('region', { name: `${channel} lane` })
      .getByRole('button', { name: new RegExp(`^${name}.* RCS, then WhatsApp, then SMS`) })
      .waitFor()
})

test('channels are ordered by dragging, and the order is still there when the draft is opened again', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${unified}/creation?t=1`)
  await expect.poll(() => orderOf(page)).toEqual(['RCS', 'WhatsApp', 'SMS'])
  const grip = page.getByRole('button', { name: /^Move RCS/ })
  const target = page.getByRole('button', { name: /^Move WhatsApp/ })
  const [from, to] = [await grip.boundingBox(), await target.boundingBox()]
  if (!from || !to) throw new Error('The handles are not visible')
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(to.x + 10, to.y + 120, { steps: 6 })
  await page.mouse.up()
  await expect.poll(() => orderOf(page)).toEqual(['WhatsApp', 'RCS', 'SMS'])
  await page.getByText('Draft saved').waitFor()
  await page.getByText('RCS is now message 2 of 3').waitFor({ state: 'attached' })
  await page.waitForURL(/[?&]c=/)
  const draftId = new URL(page.url()).searchParams.get('c')

  // Lists link to the wizard of the first channel; the draft opens in its own.
  await page.goto(`/organization/campaigns/whatsapp-campaign-creation?c=${draftId}`)
  await page.waitForURL(/unified\/creation/)
  await page.getByRole('link', { name: 'Channels , done' }).click()
  await expect.poll(() => orderOf(page)).toEqual(['WhatsApp', 'RCS', 'SMS'])
  await press(page, 'Actions for RCS')
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Add RCS' }).waitFor()
  expect(await orderOf(page)).toEqual(['WhatsApp', 'SMS'])
})

test('campaigns are compared side by side, and the URL keeps them', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', unified)
  for (const campaign of [name, 'Orders on their way'])
    await page.getByRole('checkbox', { name: `Select ${campaign}` }).check()
  await page.getByRole('button', { name: 'Compare' }).click()
  const table = page.getByRole('region', { name: 'Comparison' })
  await table.getByRole('rowheader', { name: 'Cost per person delivered' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.reload()
  await table.getByRole('link', { name }).waitFor()
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByText('Choose 2 to 4 campaigns').waitFor()
})
