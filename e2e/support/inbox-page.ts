import type { Page } from 'playwright-core'

/** Parts of the inbox as people find them. */
export const rows = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('link')
export const row = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name })
export const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
export const replyField = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ })

export async function openChat(page: Page, name: string) {
  await row(page, name).click()
  await log(page).waitFor()
}

export async function choose(page: Page, action: string) {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
