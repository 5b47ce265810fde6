import { demoPassword } from '@carillon/server/demo/cast'
import { createClient } from '@carillon/server/demo/client'
import { playStory } from '@carillon/server/demo/story'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openMenuOf } from './support/screen-acts.ts'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

async function askToStart(page: Page, name: string) {
  await page.goto('/organization/campaigns')
  await settle(page)
  await openMenuOf(page, name)
  await page.getByRole('menuitem', { name: 'Start…' }).click()
  const dialog = page.getByRole('dialog', { name: `Start ${name}?` })
  await dialog.getByText('Balance afterwards').waitFor()
  return dialog
}

const startsMade = (page: Page) => {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/campaigns/start-campaign/')) calls.push(request.method())
  })
  return calls
}

test(
  'a start from the list shows people, cost and balance, and waits until it is sent',
  { timeout: 90_000 },
  async () => {
    const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
    await takeSession(context, { url: site.url, username: 'manager' })
    const calls = startsMade(page)
    const name = await scheduledName()

    const dialog = await askToStart(page, name)
    await dialog.getByText('It is scheduled for').waitFor()
    await dialog.getByText('Cost, already reserved').waitFor()
    const pictures = process.env['PICTURES']
    if (pictures) await page.screenshot({ path: `${pictures}/start-light-1440.png` })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(calls).toEqual([])

    await (await askToStart(page, name)).getByRole('button', { name: /^Send to/ }).dblclick()
    await page.getByRole('region', { name: 'Waiting to send' }).getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('The campaign was not started.').waitFor()
    expect(calls).toEqual([])
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)

    await (await askToStart(page, name)).getByRole('button', { name: /^Send to/ }).click()
    await page
      .getByRole('region', { name: 'Waiting to send' })
      .getByRole('button', { name: /^Send now/ })
      .click()
    await page
      .getByText(/^Sending to/)
      .first()
      .waitFor()
    await expect.poll(() => calls).toEqual(['POST'])
  },
)

test('the side sheet of a campaign shows its state and its next actions', { timeout: 90_000 }, async () => {
  const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
  await takeSession(context, { url: site.url, username: 'manager' })
  await page.goto('/organization/campaigns')
  await settle(page)

  await page.getByRole('row').filter({ hasText: 'Kirana weekend offers' }).focus()
  await page.keyboard.press('Space')
  const paused = page.getByRole('dialog', { name: 'Kirana weekend offers' })
  await paused.getByRole('heading', { name: /SMS.*Kirana weekend offers.*Paused/ }).waitFor()
  await paused.getByText(/^[\d,]+ of 3,000 sent$/).waitFor()
  await paused.getByRole('button', { name: 'Resume' }).press('Enter')
  await paused.getByRole('button', { name: 'Pause', exact: true }).waitFor()

  await page.keyboard.press('ArrowDown')
  const next = page.getByRole('dialog', { name: 'Monsoon clearance' })
  await next.getByRole('heading', { name: 'Funnel' }).waitFor()
  await next.getByRole('link', { name: 'Open report' }).click()
  await page.getByRole('region', { name: 'Recipients table' }).waitFor()
})

test('people who opted out are not counted where a campaign is started', { timeout: 90_000 }, async () => {
  const client = await createClient(site.url, { username: 'manager', password: demoPassword })
  const { rows } = await site.stack.database.ownerPool.query<{ phone: string }>(
    `select phone::text from recipients member join campaigns on campaigns.audience_id = member.audience_id
      where campaigns.name = 'Cart reminder' order by seq limit 2`,
  )
  const numbers = rows.map(({ phone }) => `+${phone}`).join('\n')
  await client.call('optOuts.add', { body: { scope: 'sms', numbers } })

  const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
  await takeSession(context, { url: site.url, username: 'manager' })
  const dialog = await askToStart(page, 'Cart reminder')
  await dialog.getByRole('button', { name: 'Send to 318 people' }).waitFor()
  await dialog.getByText('318', { exact: true }).waitFor()
})

test('the overview of a user offers templates that were used, with the names of their variables', async () => {
  const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
  await takeSession(context, { url: site.url, username: 'user' })
  await page.goto('/user')
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Use again' }) })
  await card.getByText('order_update').waitFor()
  const words = await card.innerText()
  expect(words).toContain('Dear name, order')
  expect(words).not.toMatch(/\{#|Not used yet/)
})

async function scheduledName(): Promise<string> {
  const { rows } = await site.stack.database.ownerPool.query<{ name: string }>(
    `select name from campaigns where status = 'scheduled' limit 1`,
  )
  if (!rows[0]) throw new Error('The demo has no scheduled campaign')
  return rows[0].name
}
