import { asSystem } from '@carillon/server/db/pool'
import type { Page } from 'playwright-core'
import { openMenuOf } from '../support/screen-acts.ts'
import type { Stack } from '../support/stack.ts'
import { follow } from './accounts.ts'

/** Opens an account from the list; returns the tab it opened in. */
export async function openAccount(page: Page, { name, reason }: { name: string; reason: string }): Promise<Page> {
  await follow(page, 'Users Management')
  await openMenuOf(page, name)
  await page.getByRole('menuitem', { name: 'Open account' }).click()
  const dialog = page.getByRole('dialog', { name: `Open ${name}` })
  await dialog.getByLabel('Reason').fill(reason)
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('button', { name: 'Open account' }).click(),
  ])
  await noticeOf(tab).waitFor()
  return tab
}

export const noticeOf = (tab: Page) => tab.getByText('Viewing as')

export const usernameIn = (page: Page) => page.getByRole('button', { name: /^Account / }).innerText()

export async function tokenIn(page: Page): Promise<string> {
  return page.evaluate(() => JSON.parse(sessionStorage.getItem('carillon.session') ?? '{}').auth.token as string)
}

/** Ends the impersonation as its time limit of one hour does. */
export async function endTheHour({ database, cast }: Stack) {
  await asSystem(database, (db) =>
    db.updateTable('sessions').set({ expires_at: new Date() }).where('actor_id', '=', cast.admin.id).execute(),
  )
}

/** The sessions of the account as its settings show them. */
export async function openSecurity(page: Page) {
  await follow(page, 'System Settings')
  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByRole('heading', { name: 'Active sessions' }).waitFor()
}
