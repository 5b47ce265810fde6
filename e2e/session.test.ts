import type { Page } from 'playwright-core'
import { demoPassword } from '@carillon/server/demo/cast'
import { expect, test } from 'vitest'
import { openAs, openByForm, signIn } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

test.each([
  ['admin', '/admin'],
  ['reseller', '/reseller'],
  ['manager', '/organization'],
  ['user', '/user'],
  ['department-head', '/department-head'],
])('%s lands on %s', async (username, landing) => {
  const { page } = await site.visit()
  await openByForm(page, username)
  expect(new URL(page.url()).pathname).toBe(landing)
})

test('a wrong password shows an error, and the input stays', async () => {
  const { page, allow } = await site.visit()
  allow(/401/)
  await page.goto('/')
  await signIn(page, 'manager', 'not the password')

  const alert = page.getByRole('alert').filter({ hasText: 'Login failed' })
  expect(await alert.innerText()).toContain(
    'The email, username or password is wrong. Check both, or reset the password.',
  )
  expect(await page.getByLabel('Email or username').inputValue()).toBe('manager')
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not the password')
})

test('signing in works with the keyboard: Tab moves from the name to the password', async () => {
  const { page } = await site.visit()
  await page.goto('/')
  await page.getByLabel('Email or username').press('m')
  await page.keyboard.type('anager')
  await page.keyboard.press('Tab')
  await page.keyboard.type(demoPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL('/organization')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test('the palette finds an account by its name and opens it', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).waitFor()
  await page.keyboard.type('kothrud')
  await page.getByRole('option', { name: /Kothrud Books/, selected: true }).waitFor()
  expect(await page.getByText('Nothing found').count()).toBe(0)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Kothrud Books' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/reseller/users')
})

test('Escape closes a panel and returns the focus to the control that opened it', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller')
  const support = page.getByRole('button', { name: 'Support', exact: true })
  await support.click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => support.evaluate((button) => button === document.activeElement)).toBe(true)

  const account = page.getByRole('button', { name: /^Account/ }).filter({ visible: true })
  await account.click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => account.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('the code of a second factor has an empty field, and cancelling returns the focus to the button', async () => {
  const { page } = await site.visit()
  await openAs(page, 'department-head', '/department-head/general')
  await page.getByRole('tab', { name: 'Security' }).click()
  const add = page.getByRole('button', { name: 'Set up two-factor authentication' })
  await add.click()
  await page.getByRole('dialog').getByLabel('Your password').fill(demoPassword)
  await page.keyboard.press('Enter')
  const code = page.getByRole('dialog', { name: 'Scan and confirm' }).getByLabel('6-digit code')
  expect(await code.inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await code.waitFor({ state: 'detached' })
  await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('an expired invitation shows that and links to the login', async () => {
  const { page } = await site.visit()
  await page.goto(`/register?t=${'0'.repeat(64)}`)
  await page.getByText('This invitation is no longer valid: ask for a new one').waitFor()
  await page.getByRole('link', { name: 'Back to login' }).click()
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
})

test('leaving changed settings asks for confirmation, and their tabs stay', async () => {
  const { page } = await site.visit()
  await openAs(page, 'reseller')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Deccan Messages')
  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Deccan Messages')

  await page.getByRole('button', { name: 'Undo changes' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByRole('heading', { name: 'Active sessions' }).waitFor()
})

test('Enter in the amount moves the balance', async () => {
  const { page } = await site.visit()
  await openAs(page, 'admin')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users Management' }).click()
  await page.getByRole('button', { name: 'Actions for Kothrud Books' }).click()
  await page.getByRole('menuitem', { name: 'Add balance…' }).click()
  await page.getByLabel('Amount').fill('12')
  await page.getByLabel('Amount').press('Enter')
  await page.getByText('₹12.00 added to Kothrud Books').waitFor()
})

test('an anonymous visitor is sent to the login, and then to the requested page', async () => {
  const { page } = await site.visit()
  await page.goto('/organization/channels/sms')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')

  await signIn(page, 'manager')
  await page.waitForURL('/organization/channels/sms')
})

test('a remembered place of another role is not opened', async () => {
  const { page } = await site.visit()
  await page.goto('/admin')
  await signIn(page, 'user')
  await page.waitForURL('/user')
})

test("another role's area shows an alert and redirects to the own start page", async () => {
  const { page } = await site.visit()
  await openAs(page, 'user')
  await page.goto('/organization')
  await page.getByText('Unauthorized access attempt detected.').waitFor()
  await page.waitForURL('/user')
  await page.getByRole('button', { name: 'Close the alert' }).click()
  await page.getByText('Unauthorized access attempt detected.').waitFor({ state: 'detached' })
})

test.each([
  '/organization/campaigns?q=<script>',
  '/organization?next=javascript:alert(1)',
  '/organization?x=1%20union%20all',
  '/organization/campaigns?q=drop',
  "/organization?q='",
  '/organization?q=a--b',
  '/organization?q=a;b',
  '/organization?q=/*',
  '/organization?q=onerror=',
])('the suspicious address %s redirects to the login with an alert and is reported to the server', async (address) => {
  const { page } = await site.visit()
  const told = page.waitForRequest('**/api/v1/security/incidents')
  await page.goto(address)
  expect((await told).postDataJSON()).toEqual({ address: expect.stringContaining(address.slice(0, 13)) as string })
  await page.getByText('Suspicious activity detected. This incident will be logged.').waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/')
})

test('an unknown path shows not found to everyone', async () => {
  const { page } = await site.visit()
  await page.goto('/nowhere/at/all')
  await page.getByRole('heading', { level: 1, name: 'Oops! Page Not Found' }).waitFor()
  await page.getByText('We are sorry, the page you requested could not be found.').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test.each([
  ['admin', ['Account', 'User Management', 'Sub User Management', 'Billing']],
  ['manager', ['Account', 'User Management', 'Sub User Management', 'Billing']],
  ['department-head', ['Account', 'User Management', 'Sub User Management', 'Billing']],
  ['user', ['Account', 'Billing']],
])('the account menu of %s has its items, and the balance', async (username, items) => {
  const { page } = await site.visit()
  await openAs(page, username)
  await page.getByRole('button', { name: `Account ${username}` }).click()
  for (const item of items) await page.getByRole('menuitem', { name: item, exact: false }).first().waitFor()
  expect(await page.getByRole('menuitem', { name: /User Management/ }).count()).toBe(items.length - 2)
  await page.getByRole('menu').getByText('₹').waitFor()
})

test('a balance and channels that cannot be loaded are reported in a toast', async () => {
  const { page, allow } = await site.visit()
  allow(/500/)
  const fail = { status: 500, json: { success: false, message: '', code: 'internal' } }
  await page.route('**/api/balance/reseller-balances', (route) => route.fulfill(fail))
  await page.route('**/api/v1/channels/get-channel-integrations', (route) => route.fulfill(fail))
  await openAs(page, 'department-head')
  const toasts = page.getByRole('region', { name: /^Notifications/ })
  await toasts.getByText('Failed to fetch balance.').waitFor()
  await page.goto('/department-head/channels')
  await toasts.getByText('Failed to fetch channels').waitFor()
  await page.goto('/department-head/channels/sms')
  await page.getByRole('heading', { level: 1, name: 'SMS accounts' }).waitFor()
})

test('logging out asks for confirmation, and ends the session', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager')
  await page.getByRole('button', { name: 'Account manager' }).click()
  await page.getByText('Upgrade to Pro').waitFor()
  await page.getByText('Coming Soon').waitFor()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm Logout' })
  await dialog
    .getByText('Are you sure you want to logout? You will need to login again to access your account.')
    .waitFor()
  expect((await dialog.boundingBox())?.width).toBeLessThanOrEqual(400)

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/organization')

  await page.getByRole('button', { name: 'Account manager' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await dialog.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('/')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(await page.getByText('Session Expired').count()).toBe(0)
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('the dialog of an expired session stays until the user goes to the login', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager')
  await page.evaluate(expireSession)
  await page.goto('/organization/campaigns')

  const dialog = page.getByRole('alertdialog', { name: 'Session Expired' })
  await dialog.getByText('Your session has expired due to inactivity. Please log in again to continue.').waitFor()
  expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Return to Login'])
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog.isVisible()).toBe(true)

  await dialog.getByRole('button', { name: 'Return to Login' }).click()
  await page.waitForURL('/')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
})

test('a session that was ended elsewhere is reported at the next call', async () => {
  const { page, allow } = await site.visit()
  allow(/401/)
  await openAs(page, 'manager')
  const token = await page.evaluate(
    () => JSON.parse(sessionStorage.getItem('carillon.session') ?? '{}').auth.token as string,
  )
  await fetch(`${site.url}/api/v1/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  await page.getByRole('link', { name: 'Communication Channels' }).click()
  await page.getByRole('alertdialog', { name: 'Session Expired' }).waitFor()
})

test.each(['/', '/privacy', '/security', '/register', '/forget-password', '/reset-password'])(
  'the public page %s never shows that a session expired',
  async (path) => {
    const { page } = await site.visit()
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByText('Session Expired').count()).toBe(0)
  },
)

test('the theme is light by default, remembered once chosen, and applied before the first paint', async () => {
  const { page, allow } = await site.visit()
  allow(/ERR_FAILED/)
  await openAs(page, 'manager')
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
  expect(await isDark()).toBe(false)
  await page.getByRole('button', { name: 'Dark theme' }).click()
  expect(await isDark()).toBe(true)

  // With the application's code blocked, only the script before the first paint can have set the class.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload({ waitUntil: 'commit' })
  await page.waitForFunction(() => document.body !== null)
  expect(await isDark()).toBe(true)
  await page.unroute('**/assets/*.js')
  await page.reload()
  await page.getByRole('button', { name: 'Light theme' }).waitFor()
})

test('the sidebar is toggled with Ctrl and B, and remembered in a cookie for seven days', async () => {
  const { page, context } = await site.visit()
  await openAs(page, 'manager')
  const width = async () => (await page.getByRole('complementary').first().boundingBox())?.width
  expect(await width()).toBe(256)
  await page.keyboard.press('Control+b')
  await expect.poll(width).toBe(48)

  const cookie = (await context.cookies()).find(({ name }) => name === 'sidebar_state')
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(Math.round(days)).toBe(7)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await width()).toBe(48)
  await page.keyboard.press('Control+b')
  await expect.poll(width).toBe(256)
})

test('code of a screen that fails to load once is requested again silently', async () => {
  const { page, allow } = await site.visit()
  allow(/ERR_FAILED|dynamically imported|Unable to preload|Failed to load/)
  await openAs(page, 'manager')
  const loads = countLoads(page)
  await page.route('**/assets/sms-accounts-page-*.js', (route) => route.abort(), { times: 1 })
  await page.goto('/organization/channels/sms')
  await page.getByRole('heading', { level: 1, name: 'SMS accounts' }).waitFor()
  expect(loads()).toBe(2)
})

test('code that fails to load twice shows the application error with a refresh button', async () => {
  const { page, allow } = await site.visit()
  allow(/ERR_FAILED|dynamically imported|Unable to preload|Failed to load/)
  await openAs(page, 'manager')
  const loads = countLoads(page)
  await page.route('**/assets/sms-accounts-page-*.js', (route) => route.abort())
  await page.goto('/organization/channels/sms')
  await page.getByRole('heading', { level: 1, name: 'Application Error' }).waitFor()
  expect(loads()).toBe(2)

  await page.unroute('**/assets/sms-accounts-page-*.js')
  await page.getByRole('button', { name: 'Refresh Page' }).click()
  await page.getByRole('heading', { level: 1, name: 'SMS accounts' }).waitFor()
})

/** Number of requests for the page itself. */
function countLoads(page: Page): () => number {
  let count = 0
  page.on('request', (request) => (count += request.isNavigationRequest() ? 1 : 0))
  return () => count
}

/** Runs in the page: expires the session immediately. */
function expireSession() {
  const session = JSON.parse(sessionStorage.getItem('carillon.session') ?? '{}')
  session.auth.expiresAt = Math.floor(Date.now() / 1000) - 1
  sessionStorage.setItem('carillon.session', JSON.stringify(session))
}
