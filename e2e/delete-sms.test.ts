import { playStory } from '@carillon/server/demo/story'
import { expect, test } from 'vitest'
import { openMenuOf } from './support/screen-acts.ts'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

const pictures = process.env['PICTURES']

async function templateOf(isNeeded: boolean): Promise<{ id: string; name: string }> {
  const { rows } = await site.stack.database.ownerPool.query<{ id: string; name: string }>(
    `select id, name from templates where channel = 'sms' and deleted_at is null and $1 = exists (
      select from campaign_legs leg join campaigns campaign on campaign.id = leg.campaign_id
      where leg.template_id = templates.id and campaign.status = any($2)) order by name limit 1`,
    [isNeeded, isNeeded ? ['scheduled'] : ['validating', 'scheduled', 'queued', 'running', 'paused']],
  )
  if (!rows[0]) throw new Error('The demo has no such template')
  return rows[0]
}

test(
  'an SMS template and an account are deleted from their menus, unless a campaign needs them',
  { timeout: 120_000 },
  async () => {
    const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
    await takeSession(context, { url: site.url, username: 'manager' })
    const [needed, free] = [await templateOf(true), await templateOf(false)]
    await page.goto('/organization/manage-templates/sms')
    await settle(page)
    await openMenuOf(page, needed.name)
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const dialog = page.getByRole('alertdialog', { name: `Delete ${needed.name}?` })
    await dialog.getByText('Bhai Dooj gift cards').waitFor()
    await dialog.getByText('Delete it after they have ended or been discarded').waitFor()
    expect(await dialog.getByRole('button', { name: 'Delete template' }).isDisabled()).toBe(true)
    if (pictures) await page.screenshot({ path: `${pictures}/delete-template-light-1440.png` })
    await dialog.getByRole('button', { name: 'Keep it' }).click()

    await openMenuOf(page, free.name)
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete template' }).dblclick()
    await page.getByText(`${free.name} is deleted`).waitFor()
    await expect.poll(() => page.getByRole('row').filter({ hasText: free.name }).count()).toBe(0)

    await page.goto('/organization/channels/sms')
    await settle(page)
    const { rows } = await site.stack.database.ownerPool.query<{ name: string }>(
      `select name from senders where channel = 'sms' and deleted_at is null
        and organization_id = (select organization_id from templates where id = $1)`,
      [needed.id],
    )
    const account = rows[0]?.name ?? ''
    await page.getByRole('button', { name: `Actions for ${account}` }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const asked = page.getByRole('alertdialog', { name: `Delete ${account}?` })
    await asked.getByText('Bhai Dooj gift cards').waitFor()
    expect(await asked.getByRole('button', { name: 'Delete account' }).isDisabled()).toBe(true)
    if (pictures) await page.screenshot({ path: `${pictures}/delete-account-light-1440.png` })
    await asked.getByRole('button', { name: 'Keep it' }).click()

    // The product's name is not shown to customers.
    await page.getByRole('button', { name: `Open ${account}` }).click()
    expect(await page.getByLabel('Text').inputValue()).toBe('Test message')
  },
)
