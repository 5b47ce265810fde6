import { playStory } from '@carillon/server/demo/story'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))
const list = '/organization/campaigns'

async function openList() {
  const { page, context } = await site.visit()
  await takeSession(context, { url: site.url, username: 'manager' })
  await page.goto(list)
  await settle(page)
  return page
}

const openViews = (page: Page) => page.getByRole('button', { name: /^Views/ }).click()
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name, exact: true })
const tabOf = (page: Page) => page.getByRole('tab', { selected: true }).innerText()

test('a view is saved, opens the list, and is renamed and deleted', { timeout: 60_000 }, async () => {
  const page = await openList()
  await page.getByRole('tab', { name: /^Drafts/ }).click()
  await settle(page)
  await page.keyboard.press('v')
  await page.getByRole('button', { name: 'Save this view…' }).click()
  const save = dialog(page, 'Save view')
  await save.getByRole('button', { name: 'Save view' }).click()
  await save.getByText('Enter a name').waitFor()
  await save.getByLabel('Name').fill('Drafts of mine')
  await save.getByLabel('Make this the default view').check()
  await save.getByRole('button', { name: 'Save view' }).dblclick()
  await save.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Views: Drafts of mine' }).waitFor()

  // A later visit without filters opens with it; one click shows everything.
  await page.goto('/organization')
  await page.goto(list)
  await expect.poll(() => tabOf(page)).toContain('Drafts')
  await openViews(page)
  await page.getByRole('button', { name: 'Everything' }).click()
  await expect.poll(() => tabOf(page)).toContain('All')

  await openViews(page)
  await page.getByRole('button', { name: 'Actions for Drafts of mine' }).click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  const rename = dialog(page, 'Rename view')
  await rename.getByLabel('Name').fill('Drafts')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await rename.waitFor({ state: 'detached' })
  await openViews(page)
  await page.getByRole('button', { name: 'Actions for Drafts' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete view' }).click()
  await page.getByText('Drafts was deleted').waitFor()
  const { rows } = await site.stack.database.ownerPool.query('select 1 from saved_views')
  expect(rows).toEqual([])
})

test('several campaigns are discarded at once, except those that have ended', { timeout: 60_000 }, async () => {
  const page = await openList()
  await page.goto(`${list}?n=50`)
  await settle(page)
  const statuses = async () => {
    const { rows } = await site.stack.database.ownerPool.query<{ name: string; status: string }>(
      `select campaign.name, campaign.status from campaigns campaign join accounts account using (organization_id)
      where username = 'manager' and campaign.status in ('draft', 'ready', 'completed') order by campaign.name`,
    )
    return rows
  }
  const open = (await statuses()).find(({ status }) => status !== 'completed')
  const over = (await statuses()).find(({ status }) => status === 'completed')
  if (!open || !over) throw new Error('The demo has no draft or no completed campaign')
  for (const { name } of [open, over]) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Discard' }).click()
  const asked = dialog(page, 'Discard 1 campaign?')
  await asked.getByText('Already ended').waitFor()
  expect(await asked.getByRole('list').innerText()).toContain(over.name)
  await asked.getByRole('button', { name: 'Discard 1 campaign' }).dblclick()
  await asked.waitFor({ state: 'detached' })
  await page.getByText('Discard: 1 done').waitFor()
  await page.getByRole('region', { name: 'Selected rows' }).waitFor({ state: 'detached' })
  const after = await statuses()
  expect(after.map(({ name }) => name)).not.toContain(open.name)
  expect(after).toContainEqual(over)
})
