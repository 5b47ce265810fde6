import { playStory } from '@carillon/server/demo/story'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(async ({ url, simulator }) => playStory({ url, simulator }))

async function findCampaign(): Promise<string> {
  const { rows } = await site.stack.database.ownerPool.query<{ id: string }>(
    `select campaign_id as id from leg_entries group by campaign_id order by count(*) desc limit 1`,
  )
  if (!rows[0]) throw new Error('The demo has a campaign with failover')
  return rows[0].id
}

test('a number of the report lists its recipients; the URL keeps them, and a chip removes them', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `/organization/campaigns/individual-reports?c=${await findCampaign()}`)
  const channels = page.getByRole('region', { name: 'Channels' })
  const figure = channels.getByRole('link', { name: /^Delivered by .*: list/ }).first()
  const label = ((await figure.getAttribute('aria-label')) ?? '').replace(/: list .*/, '')
  const count = (await figure.innerText()).trim()
  await figure.press('Enter')
  const recipients = page.getByRole('region', { name: 'Recipients', exact: true })
  await recipients.getByText(label, { exact: true }).waitFor()
  await recipients.getByText(count, { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('r')).not.toBeNull()
  expect(await findViolations(page)).toEqual([])

  await page.reload()
  await recipients.getByText(label, { exact: true }).waitFor()
  const file = page.waitForEvent('download')
  await recipients.getByRole('button', { name: 'CSV of these recipients' }).click()
  const text = await (await file).createReadStream().then((stream) => stream.toArray())
  const rows = Buffer.concat(text as Buffer[])
    .toString('utf8')
    .trim()
    .split('\r\n')
    .slice(1)
  expect(rows).toHaveLength(Number(count.replaceAll(',', '')))

  await recipients.getByRole('button', { name: `Remove the filter ${label}` }).click()
  await recipients.getByText(label, { exact: true }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('r')).toBeNull()

  const funnel = page.getByRole('link', { name: /^Delivered: list/ })
  const delivered = (await funnel.innerText()).trim()
  await funnel.click()
  await recipients.getByRole('button', { name: 'Remove the filter Delivered' }).waitFor()
  await recipients.getByText(delivered, { exact: true }).waitFor()
})
