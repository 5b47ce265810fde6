import { expect, test } from 'vitest'
import { uploadAudience, chooseTemplate, personalise, reviewAndSend, watchItGo } from './journey/campaign.ts'
import { connectAccount, makeTemplate } from './journey/connect.ts'
import {
  accept,
  addBalance,
  createCustomer,
  follow,
  peekAt,
  rowOf,
  setOwnPassword,
  takeModule,
} from './people/accounts.ts'
import { linkTo, subjectsTo } from './people/mail.ts'
import { approve, askForBalance, balanceOf, fundReseller } from './people/money.ts'
import { shopFile } from './people/shop-file.ts'
import { endTheHour, noticeOf, openAccount, openSecurity, tokenIn, usernameIn } from './people/visiting.ts'
import { openAs, signIn } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(fundReseller)

const pathOf = (page: { url(): string }) => new URL(page.url()).pathname

test(
  'a reseller creates a customer with balance; the customer sends a campaign and pays exactly its price',
  { timeout: 120_000 },
  async () => {
    const { page: selling } = await site.visit()
    const { page: shop } = await site.visit()
    const customer = { name: 'Pune Textiles', username: 'pune-textiles', email: 'owner@punetextiles.test' }
    const { csv, people, ...counts } = shopFile()
    await openAs(selling, 'reseller')
    const given = await createCustomer(selling, customer)
    await addBalance(selling, { name: customer.name, amount: '500', becomes: '₹500.00' })
    await rowOf(selling, customer.name).getByText('₹500.00').waitFor()

    await shop.goto('/')
    await signIn(shop, customer.username, given)
    await setOwnPassword(shop, { given, own: 'paithani silk by the metre' })
    expect(pathOf(shop)).toBe('/organization')
    expect(await balanceOf(shop).innerText()).toBe('₹500.00')

    await connectAccount(shop, { name: 'First route', smscPort: site.stack.simulator.smscPort })
    await makeTemplate(shop, { name: 'ready', body: 'Dear {#var#}, order {#var#} ships today. -Pune Textiles' })
    await uploadAudience(shop, { name: 'Orders of the day', csv, expected: counts })
    await chooseTemplate(shop, 'ready')
    await personalise(shop, `Dear ${people[0]?.name}, order ${people[0]?.order} ships today. -Pune Textiles`)
    await reviewAndSend(shop, { people: people.length, cost: '₹15.00' })
    await watchItGo(shop, 'Orders of the day')
    await shop.reload()
    await expect.poll(() => balanceOf(shop).innerText()).toBe('₹485.00')

    await selling.reload()
    await rowOf(selling, customer.name).getByText('₹485.00').waitFor()
    const sheet = await peekAt(selling, customer.name)
    expect(await sheet.innerText()).toMatch(/7-day spend\s+₹15\.00/)
    await sheet.getByRole('tab', { name: 'Balance' }).click()
    await sheet.getByRole('listitem').filter({ hasText: 'Orders of the day' }).getByText('-₹15.00').waitFor()
  },
)

test('an admin impersonates an account in another tab, and each tab keeps its account', async () => {
  const { page: admin } = await site.visit()
  const { page: owner } = await site.visit()
  await openAs(admin, 'admin')
  const own = await tokenIn(admin)
  const tab = await openAccount(admin, { name: 'Acme Retail', reason: 'A report that looks wrong' })

  await expect.poll(() => noticeOf(tab).innerText()).toContain('Viewing as Acme Retail (manager) · started by Carillon')
  expect(new URL(tab.url()).searchParams.has('k')).toBe(false)
  expect(await tab.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(own)
  await tab.getByRole('button', { name: /^Account / }).click()
  const logOut = tab.getByRole('menuitem', { name: 'Log out' })
  expect(await logOut.getAttribute('aria-disabled')).toBe('true')
  expect(await logOut.innerText()).toContain("In this mode, you can't logout")
  await tab.keyboard.press('Escape')

  await Promise.all([tab.reload(), admin.reload()])
  await noticeOf(tab).waitFor()
  expect(await usernameIn(tab)).toContain('manager')
  expect(await usernameIn(admin)).toContain('admin')
  expect(await noticeOf(admin).count()).toBe(0)

  await openAs(owner, 'manager')
  await openSecurity(owner)
  await owner.getByRole('listitem').getByText('opened by Carillon').waitFor()
  await Promise.all([tab.waitForEvent('close'), tab.getByRole('button', { name: 'Exit account' }).click()])
  await admin.reload()
  expect(await usernameIn(admin)).toContain('admin')
  expect(await tokenIn(admin)).toBe(own)

  // The impersonation has ended: its session is gone, its record remains.
  await owner.reload()
  await owner.getByText('This device').waitFor()
  expect(await owner.getByText('opened by Carillon').count()).toBe(0)
  await owner.getByRole('button', { name: 'Notifications' }).click()
  await owner.getByText('Carillon opened your account').first().waitFor()
  await owner.getByText('A report that looks wrong').first().waitFor()
})

test('an expired impersonation is reported in its tab, and the admin’s tab is unaffected', async () => {
  const { page: admin, allow } = await site.visit()
  allow(/401/)
  await openAs(admin, 'admin')
  const tab = await openAccount(admin, { name: 'Kothrud Books', reason: 'Checking a route' })
  await endTheHour(site.stack)

  const dialog = tab.getByRole('alertdialog', { name: 'Session Expired' })
  await expect
    .poll(
      async () => {
        await tab.reload({ waitUntil: 'networkidle' })
        return dialog.isVisible()
      },
      { timeout: 20_000 },
    )
    .toBe(true)
  await dialog.getByRole('button', { name: 'Return to Login' }).click()
  await tab.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(await tab.evaluate(() => sessionStorage.getItem('carillon.session'))).toBe(null)

  await admin.reload()
  await rowOf(admin, 'Kothrud Books').waitFor()
  expect(await usernameIn(admin)).toContain('admin')
  expect(await admin.getByRole('alertdialog').count()).toBe(0)
})

test("a user cannot open other roles' screens, and a revoked module shows a message", async () => {
  const { page: manager } = await site.visit()
  const { page: user } = await site.visit()
  await openAs(user, 'user')
  await user.goto('/organization/users')
  await user.getByText('Unauthorized access attempt detected.').waitFor()
  await user.waitForURL('/user')
  await user.getByRole('button', { name: 'Close the alert' }).click()

  await openAs(manager, 'manager')
  await follow(manager, 'User Administration')
  await takeModule(manager, { from: 'Rohan Kulkarni', module: 'Campaigns' })
  await user.reload()
  await user.getByText('Ask your account manager to turn on campaigns for you.').waitFor()
  await user.getByRole('button', { name: 'Campaign Management (restricted)' }).click()
  const dialog = user.getByRole('dialog', { name: 'Access Restricted' })
  await dialog.getByText('Your account does not include Campaign Management.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  // A typed address requests nothing before the modules are known: a refused call would fail the test.
  await user.goto('/user/campaigns')
  await user.getByText('Ask your account manager to turn on this module for you.').waitFor()
})

test('a module revoked during use is locked with the first rejected call', async () => {
  const { page: manager } = await site.visit()
  const { page: user, allow } = await site.visit()
  allow(/403/)
  await openAs(user, 'user')
  await user.getByRole('heading', { name: 'Overview' }).waitFor()
  await openAs(manager, 'manager')
  await follow(manager, 'User Administration')
  await takeModule(manager, { from: 'Rohan Kulkarni', module: 'Templates' })
  await follow(user, 'Template Management')
  await user.getByText('Ask your account manager to turn on this module for you.').waitFor()
})

test('a visitor registers where registration is open, is accepted and signs in', async () => {
  const { page: admin } = await site.visit()
  const { page: visitor, allow } = await site.visit()
  allow(/403/)
  const email = 'hello@lanebakery.test'
  const password = 'sourdough before sunrise'
  await openAs(admin, 'admin')
  await follow(admin, 'Settings')
  await admin.getByRole('tab', { name: 'Registration' }).click()
  const open = admin.getByRole('switch', { name: 'Open registration' })
  await open.click()
  await admin.getByText('Registration settings saved').waitFor()
  await visitor.goto('/register')
  await visitor.getByText('Accounts are created by invitation here.').waitFor()

  await open.click()
  await expect.poll(() => open.isChecked()).toBe(true)
  await expect.poll(() => open.isEnabled()).toBe(true)
  await visitor.reload()
  await visitor.getByLabel('Business name').fill('Lane Bakery')
  await visitor.getByLabel('Your name', { exact: true }).fill('Asha Lane')
  await visitor.getByLabel('Work email').fill(email)
  await visitor.getByLabel('Password', { exact: true }).fill(password)
  await visitor.getByRole('button', { name: 'Create account' }).click()
  await visitor.getByText('We’ll email you once it’s approved').waitFor()
  await visitor.getByRole('link', { name: 'Go to the login' }).click()
  await signIn(visitor, email, password)
  await visitor.getByText('This account is waiting to be approved').waitFor()

  await accept(admin, 'Lane Bakery')
  // Reloads, because the form would treat another press right after the refused one as a double press.
  await visitor.reload()
  await signIn(visitor, email, password)
  await visitor.waitForURL('/organization')
  expect(await subjectsTo(site.stack, email)).toHaveLength(1)
})

test('a user who forgot the password sets another by a link that works once', async () => {
  const { page, allow } = await site.visit()
  const { page: later, allow: allowLater } = await site.visit()
  allow(/401/)
  allowLater(/400/)
  const email = 'manager2@demo.test'
  const password = 'a shelf of first editions'
  await page.goto('/')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  // Without a mail server the mail is stored, and its link works.
  await page.getByText('Email isn’t configured here').waitFor()
  await expect.poll(() => linkTo(site.stack, email)).toMatch(/^\/reset-password\?t=/)
  const link = (await linkTo(site.stack, email)) ?? ''

  const setPassword = async (by: typeof page, to: string) => {
    await by.goto(link)
    await by.getByLabel('New password').fill(to)
    await by.getByLabel('Confirm password').fill(to)
    expect(by.url()).not.toContain('t=')
    await by.getByRole('button', { name: 'Set new password' }).click()
  }
  await setPassword(page, password)
  await page.getByRole('button', { name: 'Go to the login' }).click()
  await signIn(page, 'manager2', site.stack.password)
  await page.getByText('The email, username or password is wrong').waitFor()
  await signIn(page, 'manager2', password)
  await page.waitForURL('/organization')

  await setPassword(later, 'somebody found the mail')
  await later.getByText('This link is no longer valid: ask for a new one').waitFor()
})

test('an organisation requests balance, the reseller approves, and the balance is added', async () => {
  const { page: manager } = await site.visit()
  const { page: reseller } = await site.visit()
  await openAs(manager, 'manager')
  await openAs(reseller, 'reseller')
  expect(await balanceOf(manager).innerText()).toBe('₹25,000.00')
  await askForBalance(manager, { press: '+₹5,000', note: 'For the festival' })

  // Neither page reloads: the server pushes the change.
  await approve(reseller, { name: 'Acme Retail', amount: '₹5,000.00' })
  await expect.poll(() => balanceOf(manager).innerText()).toBe('₹30,000.00')
  await follow(reseller, 'Users Management')
  await rowOf(reseller, 'Acme Retail').getByText('₹30,000.00').waitFor()
})
