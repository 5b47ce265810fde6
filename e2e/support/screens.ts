import type { Page } from 'playwright-core'
import { leaveMenuOpen, openDraft, openFirstCampaign, openMenuOf, typeNumber } from './screen-acts.ts'
import { agentShots } from './agent-screens.ts'
import { apiKeyShots } from './api-key-screens.ts'
import { chatShots } from './chat-screens.ts'
import { familyShots } from './family-screens.ts'
import { audienceShots } from './audience-screens.ts'
import { peopleShots } from './people-screens.ts'
import { quiet } from './quiet.ts'
import { rcsShots } from './rcs-screens.ts'
import { rightToLeftShots } from './right-to-left-screens.ts'
import type { Shot } from './shot.ts'
import { signIn } from './sign-in.ts'
import { supportShots } from './support-screens.ts'
import { unifiedShots } from './unified-screens.ts'
import { reportShots } from './report-screens.ts'
import { requestShots } from './request-screens.ts'
import { webhookShots } from './webhook-screens.ts'
import { whatsappShots } from './whatsapp-screens.ts'

const home = '/organization'

/** Every screen and everything that can open over it, with the demo data. */
export const shots: readonly Shot[] = [
  { name: 'login', path: '/' },
  {
    name: 'login-refused',
    path: '/',
    act: (page) =>
      signIn(page, 'manager', 'not the password').then(() =>
        page.getByText('The email, username or password is wrong').waitFor(),
      ),
  },
  { name: 'login-incomplete', path: '/', act: (page) => page.getByRole('button', { name: 'Log in' }).click() },
  { name: 'login-alert', path: '/organization?q=drop' },
  { name: 'privacy', path: '/privacy' },
  { name: 'security', path: '/security' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'not-found-inside', as: 'manager', path: `${home}/nowhere`, needsLoad: true },
  { name: 'other-role', as: 'user', path: '/user/sub-users', needsLoad: true },
  { name: 'overview', as: 'manager', path: home },
  { name: 'overview-user', as: 'user', path: '/user' },
  { name: 'overview-department-head', as: 'department-head', path: '/department-head' },
  { name: 'overview-empty', as: 'manager2', path: home },
  { name: 'dashboard-admin', as: 'admin', path: '/admin' },
  { name: 'dashboard-reseller', as: 'reseller', path: '/reseller' },
  { name: 'account-menu', as: 'manager', path: home, act: leaveMenuOpen },
  {
    name: 'logout',
    as: 'manager',
    path: home,
    act: (page) => leaveMenuOpen(page).then(() => page.getByRole('menuitem', { name: 'Log out' }).click()),
  },
  {
    name: 'notifications',
    as: 'manager',
    path: home,
    act: (page) => page.getByRole('button', { name: /Notifications/ }).click(),
  },
  {
    name: 'palette',
    as: 'manager',
    path: home,
    act: (page) => page.keyboard.press('Control+k').then(() => page.getByRole('dialog').waitFor()),
  },
  {
    name: 'navigation',
    as: 'manager',
    path: home,
    act: (page) => page.getByRole('button', { name: 'Open navigation' }).click(),
    except: 'desktop',
  },
  { name: 'campaigns', as: 'manager', path: `${home}/campaigns` },
  {
    name: 'campaigns-views',
    as: 'manager',
    path: `${home}/campaigns?f=5`,
    act: (page) => page.getByRole('button', { name: 'Views' }).click(),
  },
  {
    name: 'campaigns-save-view',
    as: 'manager',
    path: `${home}/campaigns?f=5`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('button', { name: 'Save this view…' }).click()
      await page.getByRole('dialog', { name: 'Save view' }).waitFor()
    },
  },
  { name: 'campaigns-empty', as: 'manager2', path: `${home}/campaigns` },
  { name: 'campaign-peek', as: 'manager', path: `${home}/campaigns`, act: openFirstCampaign, except: 'phone' },
  { name: 'campaign-menu', as: 'manager', path: `${home}/campaigns`, act: (page) => openMenuOf(page, 'Cart reminder') },
  {
    name: 'campaign-start',
    as: 'manager',
    path: `${home}/campaigns`,
    act: (page) =>
      openMenuOf(page, 'Cart reminder')
        .then(() => page.getByRole('menuitem', { name: 'Start…' }).click())
        .then(() => page.getByText('Balance afterwards').waitFor()),
  },
  {
    name: 'campaign-discard',
    as: 'manager',
    path: `${home}/campaigns`,
    act: (page) =>
      openMenuOf(page, 'Bhai Dooj gift cards').then(() => page.getByRole('menuitem', { name: 'Discard…' }).click()),
  },
  { name: 'individual-numbers', as: 'manager', path: `${home}/campaigns/individual-numbers` },
  {
    name: 'number-journey',
    as: 'manager',
    path: `${home}/campaigns/individual-numbers`,
    act: (page) => typeNumber(page, '+919104001100'),
  },
  { name: 'individual-reports', as: 'manager', path: `${home}/campaigns/individual-reports` },
  { name: 'wizard-new', as: 'manager', path: `${home}/campaigns/sms-campaign-creation` },
  { name: 'wizard-audience', as: 'manager', path: `${home}/campaigns`, act: (page) => openDraft(page, 'audience') },
  { name: 'wizard-template', as: 'manager', path: `${home}/campaigns`, act: (page) => openDraft(page, 'template') },
  {
    name: 'wizard-personalise',
    as: 'manager',
    path: `${home}/campaigns`,
    act: (page) => openDraft(page, 'personalise'),
  },
  { name: 'wizard-review', as: 'manager', path: `${home}/campaigns`, act: (page) => openDraft(page, 'review') },
  {
    name: 'wizard-review-hours',
    as: 'manager',
    path: `${home}/campaigns`,
    act: async (page) => {
      await openDraft(page, 'review')
      await page.getByRole('checkbox', { name: 'Send only between' }).check()
      await page.getByLabel('Time zone of the hours').selectOption('recipient')
    },
  },
  { name: 'templates', as: 'manager', path: `${home}/manage-templates` },
  { name: 'sms-templates', as: 'manager', path: `${home}/manage-templates/sms` },
  { name: 'sms-templates-empty', as: 'manager2', path: `${home}/manage-templates/sms` },
  {
    name: 'create-sms',
    as: 'manager',
    path: `${home}/manage-templates/sms`,
    act: (page) =>
      openMenuOf(page, 'order_update')
        .then(() => page.getByRole('menuitem', { name: 'Edit' }).click())
        .then(() => page.getByRole('button', { name: 'Save template' }).waitFor()),
  },
  {
    name: 'create-sms-incomplete',
    as: 'manager',
    path: `${home}/manage-templates/create-sms`,
    act: (page) => page.getByRole('button', { name: 'Save template' }).click(),
  },
  { name: 'channels', as: 'manager', path: `${home}/channels` },
  { name: 'sms-accounts', as: 'manager', path: `${home}/channels/sms` },
  {
    name: 'sms-account',
    as: 'manager',
    path: `${home}/channels/sms`,
    act: (page) => page.getByRole('button', { name: 'Open Primary route' }).click(),
  },
  {
    name: 'connect-account',
    as: 'manager',
    path: `${home}/channels/sms`,
    act: (page) => page.getByRole('button', { name: 'Connect account' }).click(),
  },
  ...audienceShots,
  ...familyShots,
  ...rightToLeftShots,
  ...peopleShots,
  ...agentShots,
  ...apiKeyShots,
  ...requestShots,
  ...reportShots,
  ...webhookShots,
  ...chatShots,
  ...supportShots,
  ...unifiedShots,
  ...whatsappShots,
  ...rcsShots,
]

export const windows = [
  { kind: 'desktop', width: 1440, height: 900 },
  { kind: 'phone', width: 390, height: 844 },
] as const

/** Waits until loading and animations have finished. */
export async function settle(page: Page) {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await quiet(page)
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await quiet(page)
  await animationsEnd(page)
}

/** Waits until the next frame is drawn and the animations that it began have finished. */
export async function animationsEnd(page: Page) {
  await page.evaluate(async () => {
    await new Promise((resume) => requestAnimationFrame(resume))
    await Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().iterations !== Infinity)
        .map((one) => one.finished.catch(() => undefined)),
    )
  })
}
