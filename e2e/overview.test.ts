import { buildFixtures } from '@carillon/server/testing/fixtures'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import type { Stack } from './support/stack.ts'
import { useSite } from './support/visits.ts'

/** The second organisation has sent nothing. The first has, and a template of it was rejected. */
async function prepare({ database, cast: { manager } }: Stack) {
  await database.ownerPool.query(
    `insert into daily_counters (organization_id, account_id, day, channel, submitted, delivered)
     values ($1, $1, current_date - 2, 'sms', 20, 20)`,
    [manager.id],
  )
  const { template } = await buildFixtures(database, {
    ...manager,
    organizationId: manager.id,
    role: 'manager',
    token: '',
    username: 'manager',
  })
  await database.ownerPool.query(`update templates set status = 'rejected' where id = $1`, [template])
}

const site = useSite(prepare)
const windows = [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const

async function open(username: string, viewport: { width: number; height: number }) {
  const { page, context } = await site.visit({ viewport })
  await takeSession(context, { url: site.url, username })
  await page.goto('/organization')
  await settle(page)
  return page
}

async function expectAccessible(page: Page, name: string) {
  for (const theme of ['light', 'dark']) {
    if (theme === 'dark') await page.evaluate(() => document.documentElement.classList.add('dark'))
    await settle(page)
    const pictures = process.env['PICTURES']
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${theme}.png`, fullPage: true })
    expect(await findViolations(page)).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
}

test.each(windows)(
  'before the first message, the overview links to the first campaign, on a %s',
  async (kind, size) => {
    const page = await open('manager2', size)
    const firstUse = page.getByRole('region', { name: 'Send your first campaign' })
    await firstUse.getByRole('list', { name: 'Set up' }).getByText('Connect a channel').waitFor()
    expect(await page.getByText('Delivered', { exact: true }).count()).toBe(0)
    await expectAccessible(page, `overview-new-${kind}`)

    await firstUse.getByRole('button', { name: 'See an example' }).click()
    const example = page.getByRole('dialog', { name: 'Example campaign' })
    await example.getByText('the Diwali sale opens for you first').waitFor()
    await example.getByRole('radio', { name: 'SMS' }).click()
    await example.getByText('early access is open').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('See an example')

    await firstUse.getByRole('link', { name: 'Connect' }).click()
    await page.waitForURL(/\/channels/)
  },
)

test.each(windows)('items that need attention link to their screens, on a %s', async (kind, size) => {
  const page = await open('manager', size)
  await page.getByText('Needs attention').waitFor()
  await page.getByRole('link', { name: /^Templates 1 rejected/ }).waitFor()
  await expectAccessible(page, `overview-needs-attention-${kind}`)
  await page.getByRole('link', { name: /^Templates 1 rejected/ }).click()
  await page.waitForURL(/manage-templates\/sms\?.*f=2/)
  await page.getByText('Greeting Acme').filter({ visible: true }).first().waitFor()

  await page.goto('/organization')
  await settle(page)
  await page.getByRole('button', { name: 'Request top-up' }).last().click()
  const topUp = page.getByRole('dialog', { name: 'Request top-up' })
  await topUp.getByRole('button', { name: '+₹10,000' }).click()
  await topUp.getByRole('button', { name: '+₹5,000' }).click()
  await topUp.getByText('About 1,20,000 SMS parts at ₹0.125').waitFor()
  const shown = await topUp.getByRole('definition').first().innerText()
  const amounts = (shown.match(/[\d,]+\.\d\d/g) ?? []).map((text) => Number(text.replaceAll(',', '')))
  expect(amounts[1]).toBe((amounts[0] ?? 0) + 15_000)
  await topUp.getByRole('button', { name: 'Request ₹15,000.00' }).waitFor()
})

test('a department head sees the full heading of the shared balance, and no links to screens it may not open', async () => {
  const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
  await takeSession(context, { url: site.url, username: 'department-head' })
  await page.goto('/department-head')
  await page.getByText('Shared with your organisation').waitFor()
  const heading = page.getByRole('heading', { name: 'Balance' })
  expect(await heading.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)

  await page.goto('/department-head/channels')
  await page.getByText('Managed by your account manager').waitFor()
  expect(await page.getByRole('link', { name: 'Manage SMS' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Manage WhatsApp' }).waitFor()
})
