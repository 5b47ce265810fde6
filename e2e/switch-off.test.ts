import { playStory } from '@carillon/server/demo/story'
import { expect, test } from 'vitest'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

async function smsAccount(): Promise<{ name: string; isActive: boolean }> {
  const { rows } = await site.stack.database.ownerPool.query<{ name: string; isActive: boolean }>(
    `select sender.name, sender.is_active as "isActive" from senders sender
    where exists (select from campaign_legs leg join campaigns campaign on campaign.id = leg.campaign_id
      where leg.sender_id = sender.id and campaign.status = 'scheduled') limit 1`,
  )
  if (!rows[0]) throw new Error('No scheduled campaign needs an account')
  return rows[0]
}

test(
  'switching off an account lists the campaigns that need it, and has no effect until confirmed',
  { timeout: 90_000 },
  async () => {
    const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
    await takeSession(context, { url: site.url, username: 'manager' })
    const { name } = await smsAccount()
    await page.goto('/organization/channels/sms')
    await settle(page)
    const toggle = page.getByRole('switch', { name: `${name} is active` })
    await toggle.click()
    const dialog = page.getByRole('alertdialog', { name: `Switch off ${name}?` })
    await dialog.getByText('Bhai Dooj gift cards').waitFor()
    await dialog.getByText('Scheduled campaigns do not start while it is off').waitFor()
    const pictures = process.env['PICTURES']
    if (pictures) await page.screenshot({ path: `${pictures}/switch-off-light-1440.png` })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await smsAccount()).toMatchObject({ isActive: true })
    await toggle.click()
    await dialog.getByRole('button', { name: 'Switch off account' }).click()
    await expect.poll(smsAccount).toMatchObject({ isActive: false })

    // The channel's own switch states that it stops nothing.
    await page.goto('/organization/channels')
    await settle(page)
    await page.getByRole('switch', { name: 'SMS is switched on' }).click()
    await page.getByRole('alertdialog').getByText('Scheduled campaigns still start').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  },
)
