import { createClient, type Client } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const wizard = '/organization/campaigns/rcs-campaign-creation'
let draftId = ''

const site = useSite(
  async ({ url, simulator, cast, database }) => {
    const admin = await createClient(url, { username: 'admin', password: demoPassword })
    const { baseUrl, agentId: botId, control } = simulator.rbm
    const keyFile = JSON.stringify(control.serviceAccount())
    await admin.call('rcsPartner.set', { body: { keyFile, apiUrl: baseUrl, managementUrl: `${baseUrl}/management` } })
    const bot = await admin.call<{ _id: string }>('bots.create', {
      body: { organizationId: cast.manager.id, provider: 'rbm', botId, ratePerSecond: 500 },
    })
    await admin.call('bots.registerWebhook', { path: { id: bot._id } })
    await database.ownerPool
      .query(`insert into rates (organization_id, rate_card_id, channel, category, price, billable_on)
      select organization_id, id, 'rcs', category, price, 'delivered' from rate_cards
      cross join (values ('basic', 1500), ('single', 3000)) as one (category, price)`)
    const manager = await createClient(url, { username: 'manager', password: demoPassword })
    await manager.call('bots.setStatus', { body: { botId, botStatus: 'active' } })
    draftId = await buildDraft(manager, { senderId: bot._id, httpPort: simulator.httpPort })
  },
  { rbm: { reviewMs: 30, launchMs: 30, testerMs: 20 } },
)

/** A draft with SMS failover for 700 people; 200 of them have no RCS. */
async function buildDraft(manager: Client, { senderId, httpPort }: { senderId: string; httpPort: number }) {
  const template = await manager.call<{ _id: string }>('rcsTemplates.create', {
    body: {
      name: 'diwali_offer',
      type: 'text_message',
      category: 'TRANSACTION',
      textMessageContent: 'Hello {{name}}!',
    },
  })
  const config = {
    url: `http://127.0.0.1:${httpPort}/gateway/send`,
    bodyTemplate: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","ref":"{{reference}}","dlrUrl":"{{reportUrl}}"}',
    auth: 'basic',
    authUser: 'carillon',
    authSecret: 'simulator',
    reportReference: 'ref',
  }
  const account = await manager.call<{ _id: string }>('smsAccounts.create', {
    body: { name: 'Backup route', provider: 'http-gateway', headers: ['ACMERT'], ratePerSecond: 500, config },
  })
  await manager.call('smsAccounts.activate', { body: { id: account._id, isActive: true } })
  const sms = await manager.call<{ _id: string }>('smsTemplates.create', {
    body: {
      smsAccountId: account._id,
      header: 'ACMERT',
      category: 'service_implicit',
      name: 'diwali_sms',
      body: 'Diwali offers are here. -Acme Retail',
      variables: [],
    },
  })
  const rows = Array.from(
    { length: 700 },
    (_, index) => `+9198${String(index).padStart(4, '0')}${index < 200 ? '0404' : '1200'},Person ${index}`,
  )
  const audience = await manager.call<{ _id: string }>('audience.create', {
    body: { defaultCountry: 'IN' },
    file: { name: 'people.csv', content: ['phone,name', ...rows, ''].join('\n') },
  })
  const variables = [{ column: 1, fallback: '' }]
  const draft = await manager.call<{ _id: string }>('drafts.create', {
    body: {
      campaignName: 'Diwali offers',
      audienceId: audience._id,
      hasConsent: true,
      schedule: { timezone: 'Asia/Kolkata' },
      legs: [
        { channel: 'rcs', senderId, templateId: template._id, values: { variables } },
        {
          channel: 'sms',
          senderId: account._id,
          templateId: sms._id,
          values: { variables: [] },
          entryConditions: [{ type: 'not_reachable_on_channel' }],
        },
      ],
    },
  })
  return draft._id
}

async function look(page: Page, name: string) {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((isDark) => document.documentElement.classList.toggle('dark', isDark), theme === 'dark')
    const pictures = process.env['PICTURES']
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${theme}.png`, fullPage: true })
    expect(await findViolations(page)).toEqual([])
  }
  await page.evaluate(() => document.documentElement.classList.remove('dark'))
}

test('who can be reached decides the split of the review, which the report shows beside the results', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${wizard}?c=${draftId}&t=3`)
  const reach = page.getByRole('region', { name: 'Reach' })
  await reach.getByText('Not checked yet').waitFor()
  await reach.getByRole('button', { name: 'Check reach' }).click()
  await reach.getByText('RCS-capable 71.4%').waitFor()
  await reach.getByText('500 of 700 numbers can be reached').waitFor()
  await look(page, 'reach-1440')

  await page.getByRole('button', { name: 'Review' }).first().click()
  const split = page.getByRole('region', { name: 'Expected split' })
  await split.getByText('500 71.4%').waitFor()
  await split.getByText('200 28.6%').waitFor()
  await look(page, 'split-1440')
  await page.setViewportSize({ width: 390, height: 844 })
  await look(page, 'split-390')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('button', { name: 'Send to 700 people' }).click()
  await page.getByRole('region', { name: 'Waiting to send' }).getByText('Sending to 700 people').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/organization\/campaigns\?/)
  await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: 60_000 })
  await page.goto(`/organization/campaigns/individual-reports?c=${draftId}`)
  const channels = page.getByRole('region', { name: 'Channels' })
  await channels.getByRole('row', { name: /^RCS.*500 expected 500.*₹80.00 expected ₹80.00/ }).waitFor()
  await channels.getByRole('row', { name: /^SMS.*200 expected 200.*₹25.00 expected ₹25.00/ }).waitFor()
  await page.getByText('No one got two messages').waitFor()
  await look(page, 'report-1440')
  await page.setViewportSize({ width: 390, height: 844 })
  await look(page, 'report-390')
})

test('a number of the review lists its people before anything is sent, and those who get no message with the reason', async () => {
  const manager = await createClient(site.url, { username: 'manager', password: demoPassword })
  const { _id: copyId } = await manager.call<{ _id: string }>('campaigns.duplicate', { path: { id: draftId } })
  const optedOut = Array.from({ length: 30 }, (_, index) => `+9198${String(index + 300).padStart(4, '0')}1200`)
  await manager.call('optOuts.add', { body: { scope: 'rcs', numbers: optedOut.join('\n') } })
  const { page } = await site.visit()
  await openAs(page, 'manager', `${wizard}?c=${copyId}&t=3`)
  await page.getByRole('button', { name: 'Review' }).first().click()
  const split = page.getByRole('region', { name: 'Expected split' })

  await split.getByRole('button', { name: /^Sent to 470: list/ }).press('Enter')
  const starters = page.getByRole('dialog', { name: 'Begin with RCS' })
  await starters.getByText('1–25 of 470').waitFor()
  await starters.getByRole('button', { name: 'Next page' }).click()
  await starters.getByText('26–50 of 470').waitFor()
  await starters.getByRole('searchbox', { name: 'Search a number' }).fill('9198 0699')
  await starters.getByText('Person 699').waitFor()
  await expect.poll(() => starters.getByRole('listitem').count()).toBe(1)
  await starters.getByRole('searchbox', { name: 'Search a number' }).fill('91980300')
  await starters.getByText('No number matches', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await starters.waitFor({ state: 'detached' })

  const excluded = split.getByRole('button', { name: '30 people get no message: list them' })
  await excluded.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Get no message' })
  await sheet.getByText('1–25 of 30').waitFor()
  await sheet.getByRole('listitem').filter({ hasText: 'Person 300' }).getByText('Opted out of RCS').waitFor()
  await look(page, 'excluded-1440')
  await page.setViewportSize({ width: 390, height: 844 })
  await look(page, 'excluded-390')
  await page.keyboard.press('Escape')
  await expect.poll(() => excluded.evaluate((button) => button === document.activeElement)).toBe(true)
})
