import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openByForm, signIn } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

test('after an expired session the login is prefilled and returns to the previous screen', async () => {
  const { page } = await site.visit()
  await openByForm(page, 'manager')
  await page.goto('/organization/general?t=2')
  await page.getByRole('heading', { level: 1, name: 'System Settings' }).waitFor()
  const address = page.url()
  await page.evaluate(expireSession)
  await page.reload()
  await page.getByRole('button', { name: 'Return to Login' }).click()
  await page.waitForURL('/')
  expect(await page.getByLabel('Email or username').inputValue()).toBe('manager')

  await signIn(page, 'manager')
  await page.waitForURL(address)
  await page.getByRole('heading', { level: 1, name: 'System Settings' }).waitFor()
})

test('another account that signs in after the expiry gets its own start page', async () => {
  const { page } = await site.visit()
  await openByForm(page, 'manager')
  await page.goto('/organization/general')
  await page.evaluate(expireSession)
  await page.reload()
  await page.getByRole('button', { name: 'Return to Login' }).click()
  await signIn(page, 'manager2')
  await page.waitForURL('/organization')
})

test('a new tab and a typed deep link are signed in by another open tab', async () => {
  const { page, context } = await site.visit()
  await openByForm(page, 'manager')
  const deep = await context.newPage()
  await deep.goto('/organization/channels/sms')
  await deep.getByRole('heading', { level: 1, name: 'SMS accounts' }).waitFor()
  expect(await deep.evaluate(() => sessionStorage.getItem('carillon.session'))).toContain('"manager"')
  expect(await deep.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('session')))).toEqual([])

  const front = await context.newPage()
  await front.goto('/')
  await front.waitForURL('/organization')
})

test('a new tab waits for another tab that responds late, and shows the login if it never does', async () => {
  const { page, context } = await site.visit()
  await openByForm(page, 'manager')
  await page.evaluate(answerAfter, 1500)
  const patient = await context.newPage()
  await patient.addInitScript(noteLogin)
  await patient.goto('/organization/channels/sms')
  await patient.getByRole('heading', { level: 1, name: 'SMS accounts' }).waitFor()
  expect(await patient.evaluate(() => document.documentElement.dataset['login'])).toBeUndefined()
  await patient.close()

  await page.evaluate(answerAfter, 60_000)
  const alone = await context.newPage()
  await alone.goto('/organization/channels/sms')
  await alone.getByLabel('Email or username').waitFor()
})

test('logging out in one tab ends the session in the others, and signing in again resumes them', async () => {
  const { page, context } = await site.visit()
  await openByForm(page, 'manager')
  const other = await context.newPage()
  await other.goto('/organization/channels/sms')
  await other.getByRole('heading', { level: 1, name: 'SMS accounts' }).waitFor()

  await page.getByRole('button', { name: 'Account manager' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('/')
  const ended = other.getByRole('alertdialog', { name: 'Session Expired' })
  await ended.waitFor()

  await signIn(page, 'manager')
  await page.waitForURL('/organization')
  await ended.waitFor({ state: 'detached' })
  expect(new URL(other.url()).pathname).toBe('/organization/channels/sms')
})

test('a page of other roles shows access denied inside the shell', async () => {
  const { page } = await site.visit()
  await openByForm(page, 'user')
  await page.goto('/user/sub-users')
  await page.getByText('You are not authorized to access this resource.').waitFor()
  expect(await page.getByText('Oops! Page Not Found').count()).toBe(0)
  await page.getByRole('link', { name: 'Back to overview' }).click()
  await page.waitForURL('/user')
})

test.each(['/organization/nowhere', '/nowhere/at/all'])(
  'a member sees not found inside the shell at %s',
  async (path) => {
    const { page } = await site.visit()
    await openByForm(page, 'manager')
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: 'Oops! Page Not Found' }).waitFor()
    await mainNavigation(page).getByRole('link', { name: 'Communication Channels' }).click()
    await page.waitForURL('/organization/channels')
  },
)

const mainNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })

/** Runs in the page: expires the session immediately. */
function expireSession() {
  const session = JSON.parse(sessionStorage.getItem('carillon.session') ?? '{}')
  session.auth.expiresAt = Math.floor(Date.now() / 1000) - 1
  sessionStorage.setItem('carillon.session', JSON.stringify(session))
}

/** Runs in the page: delays its responses to other tabs. */
function answerAfter(delay: number) {
  const send = BroadcastChannel.prototype.postMessage
  BroadcastChannel.prototype.postMessage = function later(word: unknown) {
    setTimeout(() => send.call(this, word), delay)
  }
}

/** Runs in the page: whether it has shown the login page. */
function noteLogin() {
  new MutationObserver(() => {
    if (document.querySelector('input[type=password]')) document.documentElement.dataset['login'] = 'shown'
  }).observe(document, { childList: true, subtree: true })
}
