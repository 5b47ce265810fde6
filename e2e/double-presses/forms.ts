import type { Page } from 'playwright-core'
import { openMenuOf } from '../support/screen-acts.ts'
import type { Shot } from '../support/shot.ts'

const openTab = (name: string) => (page: Page) => page.getByRole('tab', { name, exact: true }).click()
const menuItem = (row: string, item: string) => (page: Page) =>
  openMenuOf(page, row).then(() => page.getByRole('menuitem', { name: item }).click())
const customers = '/reseller/users?s=1&d=1'

/** Forms without a screenshot, so that every submit button is covered. */
export const forms: readonly Shot[] = [
  { name: 'forget-password', path: '/forget-password' },
  { name: 'reset-password', path: `/reset-password?token=${'a'.repeat(64)}` },
  { name: 'confirm-email', path: `/confirm-email?token=${'a'.repeat(64)}` },
  { name: 'register', path: '/register' },
  { name: 'user-deduct-balance', as: 'reseller', path: customers, act: menuItem('Acme Retail', 'Deduct balance…') },
  { name: 'change-password', as: 'manager', path: '/organization/general', act: openTab('Security') },
  {
    name: 'sms-template-new',
    as: 'manager',
    path: '/organization/manage-templates/create-sms',
  },
  {
    name: 'feedback-idea',
    as: 'manager',
    path: '/organization',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Account/ })
        .filter({ visible: true })
        .click()
      await page.getByRole('menuitem', { name: 'Feedback' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
]

/** They delete what others use: pressed last, in this order, with the mouse only. */
export const ending: readonly string[] = [
  'campaign-discard',
  'whatsapp-template-delete',
  'whatsapp-disconnect',
  'user-suspend',
  'users-suspend',
  'logout',
]
