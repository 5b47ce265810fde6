import { playStory } from '@carillon/server/demo/story'
import { expect, test } from 'vitest'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

type Failed = { id: string; name: string }

/** The demo's completed campaign, once some messages have failed. */
async function findFailed(): Promise<Failed | undefined> {
  const { rows } = await site.stack.database.ownerPool.query<Failed>(
    `select campaign.id, campaign.name from campaigns campaign
    where campaign.status = 'completed' and campaign.channel = 'sms' and not campaign.is_test
      and exists (select from messages message where message.campaign_id = campaign.id and message.status = 'failed')
    limit 1`,
  )
  return rows[0]
}

test('recipients whose message failed get a draft by reason', { timeout: 120_000 }, async () => {
  const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
  await takeSession(context, { url: site.url, username: 'manager' })
  await expect.poll(findFailed, { timeout: 60_000 }).toBeDefined()
  const { id, name } = (await findFailed()) ?? { id: '', name: '' }
  await page.goto(`/organization/campaigns/individual-reports?c=${id}`)
  await settle(page)
  await page.getByRole('button', { name: 'Resend to failed…' }).click()
  const dialog = page.getByRole('dialog', { name: `Resend ${name} to failed` })
  await dialog.getByRole('checkbox').first().waitFor()
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await dialog.getByText(/^Left out: .* already reached/).waitFor()
  const pictures = process.env['PICTURES']
  if (pictures) await page.screenshot({ path: `${pictures}/resend-light-1440.png` })
  const create = dialog.getByRole('button', { name: /^Create draft for \d+ / })
  await create.dblclick()
  await page.waitForURL(/sms-campaign-creation/)
  await page.getByRole('button', { name: /^Send to \d+ / }).waitFor()
  const { rows } = await site.stack.database.ownerPool.query<{ status: string; name: string; delivered: number }>(
    `select resent.status, resent.name, (select count(*)::int from recipients again
        join recipients first on first.audience_id = original.audience_id and first.phone = again.phone
        join messages message on message.campaign_id = original.id and message.seq = first.seq
        where again.audience_id = resent.audience_id and message.status in ('delivered', 'unconfirmed')) as delivered
    from campaigns resent join campaigns original on original.id = resent.resend_of where original.id = $1`,
    [id],
  )
  expect(rows).toEqual([{ status: 'draft', name: `Resend of ${name}`, delivered: 0 }])
})
