import type { Page } from 'playwright-core'
import { demoPassword } from '@carillon/server/demo/cast'

/** Signs in through the form. */
export async function signIn(page: Page, username: string, password = demoPassword) {
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Opens the front page of the account's area. */
export async function openAs(page: Page, username: string) {
  await page.goto('/')
  await signIn(page, username)
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Log in' }).waitFor()
}
