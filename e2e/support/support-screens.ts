import type { Page } from 'playwright-core'
import type { Shot } from './shot.ts'

/** Support is in the sidebar of admins and resellers, in the account menu of others. */
const openFromMenu = (item: 'Support' | 'Feedback') => async (page: Page) => {
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').waitFor()
}
const openRequest = async (page: Page, subject: string) => {
  await page.getByRole('button', { name: subject }).click()
  await page.getByRole('list', { name: 'Messages' }).waitFor()
}
const home = '/organization'

/** Support, notifications and branding, which are on every screen. */
export const supportShots: readonly Shot[] = [
  {
    name: 'notifications-all',
    as: 'manager',
    path: home,
    act: async (page) => {
      await page.getByRole('button', { name: /Notifications/ }).click()
      await page.getByRole('button', { name: 'View all' }).click()
      await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().waitFor()
    },
  },
  { name: 'support-requests', as: 'manager', path: home, act: openFromMenu('Support') },
  {
    name: 'support-thread',
    as: 'manager',
    path: home,
    act: async (page) => {
      await openFromMenu('Support')(page)
      await openRequest(page, 'Delivery reports of the Pune list arrive late')
    },
  },
  {
    name: 'support-answering',
    as: 'reseller',
    path: '/reseller',
    except: 'phone',
    act: async (page) => {
      await page.getByRole('button', { name: 'Support', exact: true }).click()
      await openRequest(page, 'Delivery reports of the Pune list arrive late')
    },
  },
  {
    name: 'support-new',
    as: 'user',
    path: '/user',
    act: async (page) => {
      await openFromMenu('Support')(page)
      await page.getByRole('button', { name: 'New request' }).click()
      await page.getByLabel('What is it about?').waitFor()
    },
  },
  { name: 'support-empty', as: 'department-head', path: '/department-head', act: openFromMenu('Support') },
  { name: 'feedback', as: 'user', path: '/user', act: openFromMenu('Feedback') },
  {
    name: 'settings-brand',
    as: 'reseller',
    path: '/reseller/settings?t=4',
    act: (page) => page.getByLabel('Host names').waitFor(),
  },
]
