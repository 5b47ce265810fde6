import { playStory } from '@carillon/server/demo/story'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

const target = 'https://shop.example.com/sale'
const phone = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'

/** The demo's completed campaign whose template has variables, once messages were delivered. */
async function findDelivered(): Promise<string | undefined> {
  const { rows } = await site.stack.database.ownerPool.query<{ id: string }>(
    `select campaign.id from campaigns campaign
    where campaign.status = 'completed' and campaign.channel = 'sms' and not campaign.is_test
      and exists (select from campaign_legs leg where leg.campaign_id = campaign.id and leg.content ->> 'body' like '%{#%')
      and exists (select from messages message where message.campaign_id = campaign.id and message.status = 'delivered')
    order by campaign.created_at limit 1`,
  )
  return rows[0]?.id
}

/** Of a message that was sent some seconds ago: requests right after sending are previews. */
async function firstNumber(campaignId: string): Promise<string | undefined> {
  const { rows } = await site.stack.database.ownerPool.query<{ phone: string }>(
    `select phone::text from messages where campaign_id = $1 and status in ('sent', 'delivered')
      and sent_at < now() - interval '3 seconds' order by seq limit 1`,
    [campaignId],
  )
  return rows[0]?.phone
}

async function retarget(page: Page, campaignId: string): Promise<string> {
  await page.goto(`/organization/campaigns/individual-reports?c=${campaignId}`)
  await settle(page)
  await page.getByRole('region', { name: 'Recipients', exact: true }).getByLabel('Status').selectOption('Delivered')
  await page.getByRole('button', { name: 'New campaign to these' }).click()
  await page.waitForURL(/sms-campaign-creation/)
  return new URL(page.url()).searchParams.get('c') ?? ''
}

async function personalise(page: Page) {
  await page.getByRole('link', { name: /Personalise/ }).click()
  await page.getByLabel('Value from').first().selectOption('Tracked link')
  const address = page.getByLabel('Page')
  await address.fill('http://shop.example.com')
  await address.blur()
  await page.getByText('Enter a full address that begins with https://').waitFor()
  await address.fill(target)
  await page
    .getByText(/\/l\/0{6}/)
    .first()
    .waitFor()
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

/** On the simulated phone of the recipient. */
async function tap(number: string) {
  const { page: handset, context, allow } = await site.visit({ userAgent: phone })
  // The page itself is not reachable here.
  allow(/shop\.example\.com|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED/)
  await handset.goto(`http://127.0.0.1:${site.stack.simulator.httpPort}/#${number}`)
  const address = handset.getByRole('link', { name: /\/l\/[\dA-Za-z]{12}$/ }).last()
  const redirected = context.waitForEvent('response', (response) => /\/l\/[\dA-Za-z]{12}$/.test(response.url()))
  await address.click()
  expect((await redirected).headers()['location']).toBe(target)
}

const title = 'delivered recipients get another campaign with a tracked link, and its click is counted'
test(title, { timeout: 180_000 }, async () => {
  const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
  await takeSession(context, { url: site.url, username: 'manager' })
  await expect.poll(findDelivered, { timeout: 60_000 }).toBeDefined()
  const draftId = await retarget(page, (await findDelivered()) ?? '')
  await personalise(page)
  await page.getByRole('button', { name: 'Next: Review' }).click()
  await page.getByRole('button', { name: /^Send to \d+ / }).click()
  await expect.poll(() => firstNumber(draftId), { timeout: 60_000 }).toBeDefined()
  await tap((await firstNumber(draftId)) ?? '')
  await page.goto(`/organization/campaigns/individual-reports?c=${draftId}`)
  await page.getByText('1 recipient clicked at least one link.').waitFor()
  await page.getByRole('link', { name: 'Clicked: list 1 recipient' }).click()
  const recipients = page.getByRole('region', { name: 'Recipients', exact: true })
  await recipients.getByRole('button', { name: 'Remove the filter Clicked' }).waitFor()
  await expect.poll(() => recipients.getByRole('row').count()).toBe(2)
  await recipients.getByRole('columnheader', { name: 'Clicked' }).waitFor()
  await recipients.getByRole('button', { name: 'New campaign to these' }).waitFor()
  await page.getByRole('link', { name: 'Clicked: list 1', exact: true }).waitFor()
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
})
