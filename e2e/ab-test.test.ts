import { playStory } from '@carillon/server/demo/story'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { beginCampaign } from './support/begin-campaign.ts'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

const people = 40
/** The variables of the templates are matched to the columns with their names. */
const rows = Array.from({ length: people }, (_, row) => `98220110${10 + row},Asha ${row},A-${row},${row + 1}`)
const csv = ['phone,name,order,amount', ...rows].join('\n')

/** Recipients of the campaign by the template of their message. */
async function countByTemplate(name: string): Promise<Record<string, number>> {
  const { rows: found } = await site.stack.database.ownerPool.query<{ template: string; people: number }>(
    `select template.name as template, count(*)::int as people
    from campaigns campaign
    join messages message on message.campaign_id = campaign.id and message.status <> 'skipped'
    join campaign_legs leg on leg.campaign_id = campaign.id and leg.leg = message.leg
    join templates template on template.id = leg.template_id
    where campaign.name = $1 group by template.name`,
    [name],
  )
  return Object.fromEntries(found.map((row) => [row.template, row.people]))
}

/** Two messages for half of the recipients; a tenth gets nothing. */
async function prepareTest(page: Page) {
  await page.getByRole('button', { name: 'Next: Template' }).click()
  await page.getByRole('radio', { name: /^order_update/ }).check({ force: true })
  await page.getByRole('switch', { name: 'A/B test' }).click()
  await page.getByRole('tab', { name: 'Message B', selected: true }).waitFor()
  await page.getByRole('radio', { name: /^diwali_hindi/ }).check({ force: true })
  await page.getByLabel('Recipients in the test').fill('50')
  await page.getByLabel('Control group').fill('10')
  await page.getByText('10 people get each message; 16 get the winner; 4 get nothing.').waitFor()
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

async function reviewAndSend(page: Page) {
  await page.getByRole('button', { name: 'Next: Personalise' }).click()
  await page.getByRole('button', { name: 'Next: Review' }).click()
  const split = page.getByRole('region', { name: 'Expected split' })
  await split.getByRole('button', { name: /^16 people get the winner/ }).click()
  await page.getByRole('dialog', { name: 'Get the winner' }).getByText('of 16').waitFor()
  await page.keyboard.press('Escape')
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
  await page.getByRole('button', { name: `Send to ${people - 4} people` }).click()
  await page.getByRole('button', { name: 'Send now' }).click()
}

const title = 'two messages are tested on some recipients, and the others get the one that a person chooses'
test(title, { timeout: 180_000 }, async () => {
  const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
  await takeSession(context, { url: site.url, username: 'manager' })
  await page.goto('/organization/campaigns')
  await settle(page)
  const name = 'Two texts'
  await beginCampaign(page, { kind: 'SMS', name, csv })
  await prepareTest(page)
  await reviewAndSend(page)
  await expect.poll(() => countByTemplate(name), { timeout: 60_000 }).toEqual({ order_update: 10, diwali_hindi: 10 })

  await page.getByRole('link', { name: 'See results' }).click()
  const panel = page.getByRole('region', { name: 'A/B test' })
  await panel.getByText('4 in the control group get no message.').waitFor()
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
  await panel.getByRole('button', { name: 'Send B to the other 16 people' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send to 16 people' }).click()
  await panel.getByText('manager chose B').waitFor()
  await expect.poll(() => countByTemplate(name), { timeout: 60_000 }).toEqual({ order_update: 10, diwali_hindi: 26 })
})
