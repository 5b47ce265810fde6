import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { demoPassword } from '@carillon/server/demo/cast'
import { createClient } from '@carillon/server/demo/client'
import { playStory } from '@carillon/server/demo/story'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))
const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

async function open(username: string, path: string) {
  const { page, context, allow } = await site.visit()
  // The browser logs refused calls too.
  allow(/409 \(Conflict\)/)
  await takeSession(context, { url: site.url, username })
  await page.goto(path)
  await settle(page)
  return page
}

async function select(page: Page, names: readonly string[]) {
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
}

async function statusOf(username: string): Promise<string | undefined> {
  const { rows } = await site.stack.database.ownerPool.query<{ status: string }>(
    'select status from accounts where username = $1',
    [username],
  )
  return rows[0]?.status
}

async function accountsFrom(username: string): Promise<number> {
  const { rows } = await site.stack.database.ownerPool.query<{ count: number }>(
    'select count(*)::int from accounts where path <@ (select path from accounts where username = $1)',
    [username],
  )
  return rows[0]?.count ?? 0
}

test(
  'several WhatsApp templates are deleted at once, except those that a campaign needs',
  { timeout: 90_000 },
  async () => {
    const client = await createClient(site.url, { username: 'manager', password: demoPassword })
    const list = async () =>
      (await client.call<{ data: WhatsappTemplate[] }>('waTemplates.list', { query: { limit: '100' } })).data
    const [preview] = (
      await client.call<{ campaigns: { _id: string }[] }>('campaigns.search', {
        query: { query: 'Diwali preview' },
      })
    ).campaigns
    const path = { id: preview?._id ?? '' }
    await client.call('drafts.validate', { path })
    await expect
      .poll(async () => (await client.call<{ status: string }>('campaigns.get', { path })).status)
      .toBe('ready')
    const startAt = new Date(Date.now() + 20 * 3_600_000).toISOString()
    await client.call('campaigns.schedule', { path, body: { startAt } })

    const page = await open('manager', '/organization/manage-templates/whatsapp?n=100')
    await select(page, ['diwali_early_access', 'we_are_open'])
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    const asked = dialog(page, 'Delete 1 template?')
    await asked.getByText('cannot be used again for 30 days').waitFor()
    await asked
      .getByRole('listitem')
      .filter({ hasText: 'diwali_early_access' })
      .getByText('1 campaign needs it')
      .waitFor()
    await asked.getByRole('button', { name: 'Delete 1 template' }).dblclick()
    await page.getByText('Delete: 1 done').waitFor()
    await bar(page).waitFor({ state: 'detached' })
    const names = (await list()).map(({ name }) => name)
    expect(names).not.toContain('we_are_open')
    expect(names).toContain('diwali_early_access')
  },
)

test(
  'several accounts are suspended and reactivated at once, including those below them in the count',
  { timeout: 90_000 },
  async () => {
    const page = await open('reseller', '/reseller/users?n=100')
    await select(page, ['Acme Retail', 'Rohan Kulkarni', 'Kothrud Books'])
    await bar(page).getByRole('button', { name: 'Suspend' }).click()
    const suspend = dialog(page, 'Suspend 3 accounts?')
    const affected = (await accountsFrom('manager')) + (await accountsFrom('manager2'))
    await suspend
      .getByText(`They and everyone below them, ${affected} accounts in all, can sign in but not send`)
      .waitFor()
    await suspend.getByText('Bhai Dooj gift cards').waitFor()
    await suspend.getByLabel('Reason').fill('Unpaid invoice')
    await suspend.getByRole('button', { name: 'Suspend 3 accounts' }).dblclick()
    await page.getByText('Suspend: 3 done').waitFor()
    for (const username of ['manager', 'user', 'manager2']) expect(await statusOf(username)).toBe('suspended')

    // The server refuses records that changed since the list was loaded, with the reason.
    await select(page, ['Acme Retail', 'Rohan Kulkarni', 'Kothrud Books', 'Meera Joshi'])
    await bar(page).getByRole('button', { name: 'Reactivate' }).click()
    const reactivate = dialog(page, 'Reactivate 3 accounts?')
    await reactivate.getByRole('listitem').filter({ hasText: 'Meera Joshi' }).getByText('Already active').waitFor()
    const admin = await createClient(site.url, { username: 'admin', password: demoPassword })
    const { users } = await admin.call<{ users: { _id: string }[] }>('users.list', { query: { search: 'manager2' } })
    await admin.call('users.setStatus', { path: { userId: users[0]?._id ?? '' }, body: { status: 'closed' } })
    await reactivate.getByRole('button', { name: 'Reactivate 3 accounts' }).click()
    const outcome = dialog(page, 'Reactivate: 2 of 3 done')
    await outcome
      .getByRole('listitem')
      .filter({ hasText: 'Kothrud Books' })
      .getByText('This account is closed permanently')
      .waitFor()
    await outcome.getByRole('button', { name: 'Close' }).first().click()
    await bar(page).waitFor({ state: 'detached' })
    for (const username of ['manager', 'user']) expect(await statusOf(username)).toBe('active')
  },
)
