import type { Page } from 'playwright-core'
import { openMenuOf } from './screen-acts.ts'
import type { Shot } from './shot.ts'

const menuItem = (row: string, item: string) => (page: Page) =>
  openMenuOf(page, row).then(() => page.getByRole('menuitem', { name: item }).click())
const openSheet = (button: string) => (page: Page) =>
  page
    .getByRole('button', { name: button })
    .filter({ visible: true })
    .first()
    .click()
    .then(() => page.getByRole('dialog').waitFor())
async function openLimits(page: Page) {
  await openTab('Sending limits')(page)
  await page.getByRole('switch', { name: 'Limit marketing campaigns per person' }).click()
}

const openTab = (tab: string) => (page: Page) => page.getByRole('tab', { name: tab, exact: true }).click()

const pressAccount = (name: string) => (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name }) })
    .first()
    .getByRole('button')
    .click()
const openRow = (name: string) => (page: Page) =>
  page
    .getByText(name)
    .filter({ visible: true })
    .first()
    .click()
    .then(() => page.getByRole('dialog').waitFor())
const chooseAllAccounts = async (page: Page) => {
  await page.getByRole('button', { name: 'Choose accounts' }).first().click()
  await page.getByRole('button', { name: 'Choose all shown' }).click()
  await page.keyboard.press('Escape')
}

const typeChanges = async (page: Page) => {
  await page.getByLabel('Change of Acme Retail').fill('-5,000')
  await page.getByLabel('Change of Kothrud Books').fill('3000')
}
const suspendSelected = (names: readonly string[]) => async (page: Page) => {
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByLabel('Reason').waitFor()
}
// Sorted by name, so that the demo's first customer is on the first page.
const customers = '/reseller/users?s=1&d=1'

/** The screens of users and money. */
export const peopleShots: readonly Shot[] = [
  { name: 'users-admin', as: 'admin', path: '/admin/users' },
  { name: 'users-reseller', as: 'reseller', path: '/reseller/users' },
  { name: 'user-create', as: 'reseller', path: '/reseller/users', act: openSheet('Create account') },
  { name: 'user-menu', as: 'reseller', path: customers, act: (page) => openMenuOf(page, 'Acme Retail') },
  { name: 'user-add-balance', as: 'reseller', path: customers, act: menuItem('Acme Retail', 'Add balance…') },
  {
    name: 'users-suspend',
    as: 'reseller',
    path: customers,
    act: suspendSelected(['Acme Retail', 'Kothrud Books']),
    except: 'phone',
  },
  { name: 'user-suspend', as: 'reseller', path: customers, act: menuItem('Acme Retail', 'Suspend…') },
  {
    name: 'user-open-account',
    as: 'admin',
    path: '/admin/users?s=1&d=1',
    act: menuItem('Acme Retail', 'Open account'),
  },
  { name: 'user-peek', as: 'reseller', path: customers, act: openRow('Acme Retail') },
  {
    name: 'user-peek-balance',
    as: 'reseller',
    path: customers,
    act: (page) => openRow('Acme Retail')(page).then(() => openTab('Balance')(page)),
  },
  {
    name: 'user-peek-rates',
    as: 'reseller',
    path: customers,
    act: (page) => openRow('Acme Retail')(page).then(() => openTab('Rates')(page)),
  },
  {
    name: 'user-peek-permissions',
    as: 'reseller',
    path: customers,
    act: (page) => openRow('Acme Retail')(page).then(() => openTab('Permissions')(page)),
  },
  {
    name: 'user-password-link',
    as: 'reseller',
    path: customers,
    act: menuItem('Acme Retail', 'Send password link…'),
  },
  { name: 'invitations', as: 'manager', path: '/organization/users', act: openSheet('Invitations') },
  { name: 'users-manager', as: 'manager', path: '/organization/users' },
  { name: 'sub-users', as: 'manager', path: '/organization/sub-users' },
  { name: 'sub-user-create', as: 'manager', path: '/organization/sub-users', act: openSheet('Create sub-account') },
  {
    name: 'sub-users-move',
    // An account no other screen adds sub-accounts to.
    as: 'manager2',
    path: '/organization/sub-users',
    act: (page) =>
      page
        .getByRole('button', { name: 'Move balance' })
        .click()
        .then(() => page.getByRole('heading', { name: 'No sub-accounts yet' }).waitFor()),
  },
  { name: 'user-add-person', as: 'manager', path: '/organization/users', act: openSheet('Add user') },
  { name: 'general', as: 'manager', path: '/organization/general' },
  {
    name: 'general-time-zone',
    as: 'manager',
    path: '/organization/general',
    act: (page) =>
      page
        .getByRole('combobox', { name: 'Time zone' })
        .click()
        .then(() => page.getByRole('combobox', { name: 'Search time zones' }).fill('india')),
  },
  { name: 'general-preferences', as: 'user', path: '/user/general', act: openTab('Preferences') },
  {
    name: 'general-notifications',
    as: 'department-head',
    path: '/department-head/general',
    act: openTab('Notifications'),
  },
  { name: 'general-limits', as: 'manager', path: '/organization/general', act: openLimits },
  { name: 'general-limits-shown', as: 'user', path: '/user/general', act: openTab('Sending limits') },
  { name: 'settings-registration', as: 'reseller', path: '/reseller/settings', act: openTab('Registration') },
  { name: 'settings-rates', as: 'admin', path: '/admin/settings', act: openTab('Rates') },
  { name: 'settings-channels', as: 'admin', path: '/admin/settings', act: openTab('Channels') },
  { name: 'settings-channels-shown', as: 'reseller', path: '/reseller/settings', act: openTab('Channels') },
  { name: 'settings-invoices', as: 'reseller', path: '/reseller/settings', act: openTab('Invoices') },
  { name: 'settings-mail', as: 'admin', path: '/admin/settings', act: openTab('Mail') },
  { name: 'settings-audit', as: 'reseller', path: '/reseller/settings', act: openTab('Audit log') },
  { name: 'general-audit', as: 'manager', path: '/organization/general', act: openTab('Audit log') },
  { name: 'quota-management', as: 'reseller', path: '/reseller/quota-management' },
  { name: 'quota-management-typed', as: 'reseller', path: '/reseller/quota-management', act: typeChanges },
  {
    name: 'quota-management-review',
    as: 'reseller',
    path: '/reseller/quota-management',
    act: (page) => typeChanges(page).then(() => openSheet('Review')(page)),
  },
  { name: 'billing', as: 'manager', path: '/organization/billing' },
  { name: 'billing-statement', as: 'manager', path: '/organization/billing', act: openTab('Statement') },
  { name: 'billing-requests', as: 'manager', path: '/organization/billing', act: openTab('Requests') },
  { name: 'billing-invoices', as: 'manager', path: '/organization/billing', act: openTab('Invoices') },
  { name: 'billing-details', as: 'manager', path: '/organization/billing', act: openTab('Billing details') },
  { name: 'billing-reseller', as: 'reseller', path: '/reseller/billing' },
  {
    name: 'billing-margin',
    as: 'reseller',
    path: '/reseller/billing',
    act: openTab('Margin'),
  },
  { name: 'billing-reseller-statement', as: 'reseller', path: '/reseller/billing', act: openTab('Statement') },
  { name: 'top-up', as: 'manager', path: '/organization/billing', act: openSheet('Request top-up') },
  { name: 'dashboard-scoped', as: 'admin', path: '/admin', act: pressAccount('Acme Retail') },
  { name: 'watched-campaigns', as: 'reseller', path: '/reseller/campaigns' },
  { name: 'watched-campaigns-admin', as: 'admin', path: '/admin/campaigns' },
  { name: 'watched-peek', as: 'reseller', path: '/reseller/campaigns', act: openRow('Monsoon clearance') },
  { name: 'watched-needs-help', as: 'reseller', path: '/reseller/campaigns', act: openTab('Needs attention') },
  { name: 'quota-reports-unchosen', as: 'admin', path: '/admin/quota-reports' },
  { name: 'quota-reports', as: 'admin', path: '/admin/quota-reports', act: chooseAllAccounts },
  { name: 'team-reports', as: 'manager', path: '/organization/quota-reports-management' },
  {
    name: 'team-reports-explained',
    as: 'department-head',
    path: '/department-head/quota-reports-management',
    act: (page) => page.getByRole('button', { name: 'Explain' }).click(),
  },
  { name: 'team-reports-own', as: 'user', path: '/user/quota-reports-management' },
]
