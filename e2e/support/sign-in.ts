import type { AuthenticatedUser } from '@carillon/contract/auth'
import type { Page } from 'playwright-core'
import { demoPassword } from '@carillon/server/demo/cast'
import { storedSession } from './session-of.ts'

/** Signs in through the form. */
export async function signIn(page: Page, username: string, password = demoPassword) {
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Signs in through the form and opens the front page of the account's area. */
export async function openByForm(page: Page, username: string) {
  await page.goto('/')
  await signIn(page, username)
  await titleOf(page).waitFor()
}

/**
 * Opens a page of the account's area, by default its front page, with a session of its own. The form is left out: it
 * loads two screens and checks a password, and has tests of its own.
 */
export async function openAs(page: Page, username: string, path = '/') {
  const headers = { 'user-agent': await page.evaluate(() => navigator.userAgent) }
  const data = { username, password: demoPassword }
  const answer = await page.request.post('/api/v1/auth/login', { data, headers })
  const session = storedSession(username, (await answer.json()) as AuthenticatedUser)
  const script = await page.addInitScript((stored) => sessionStorage.setItem('carillon.session', stored), session)
  await page.goto(path)
  // Later loads find what the application has stored.
  await script.dispose()
  await titleOf(page).waitFor()
}

const titleOf = (page: Page) => page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Log in' })
