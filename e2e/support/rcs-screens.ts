import type { Page } from 'playwright-core'
import { openMenuOf } from './screen-acts.ts'
import type { Shot } from './shot.ts'

const channel = '/organization/channels/rcs'
const templates = '/organization/manage-templates/rcs'
const creation = `${templates}/creation`
const settings = '/admin/settings?t=8'

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click()
}

const pressInSheet = async (page: Page, bot: string, name: string) => {
  await press(bot)(page)
  await page.getByRole('dialog').getByRole('button', { name }).click()
}

const withKeys = async (page: Page) => {
  await page.getByRole('button', { name: 'Acme Offers', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Acme Offers' }).waitFor()
}

/** Bots as their organisation sees them: live, in review, requested, none. */
const botShots: readonly Shot[] = [
  { name: 'rcs-bots', as: 'manager', path: channel },
  { name: 'rcs-bots-user', as: 'user', path: '/user/channels/rcs' },
  { name: 'rcs-bots-watched', as: 'department-head', path: '/department-head/channels/rcs' },
  { name: 'rcs-bots-requested', as: 'manager2', path: channel },
  { name: 'rcs-bot', as: 'manager', path: channel, act: press('Acme Retail') },
  { name: 'rcs-bot-in-review', as: 'manager', path: channel, act: withKeys },
  { name: 'rcs-bot-request', as: 'manager2', path: channel, act: press('Kothrud Books') },
  { name: 'rcs-bot-ask', as: 'manager', path: channel, act: press('Request bot') },
  {
    name: 'rcs-bot-ask-incomplete',
    as: 'manager',
    path: channel,
    act: async (page) => {
      await press('Request bot')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Request bot' }).click()
      await page.getByText('Upload the logo').waitFor()
    },
  },
]

/** The partner account, requests and bots of all organisations. */
const adminShots: readonly Shot[] = [
  { name: 'rcs-settings', as: 'admin', path: settings },
  { name: 'rcs-partner', as: 'admin', path: settings, act: press('Change…') },
  { name: 'rcs-request', as: 'admin', path: settings, act: press('Kothrud Books') },
  { name: 'rcs-reject', as: 'admin', path: settings, act: (page) => pressInSheet(page, 'Kothrud Books', 'Reject…') },
  {
    name: 'rcs-launch',
    as: 'admin',
    path: settings,
    act: async (page) => {
      await pressInSheet(page, 'Acme Offers', 'Request launch…')
      await page.getByRole('checkbox', { name: 'BSNL India' }).waitFor()
    },
  },
  {
    name: 'rcs-edit',
    as: 'admin',
    path: settings,
    act: async (page) => {
      await pressInSheet(page, 'Acme Retail', 'Edit')
      await page.getByLabel('Messages per second').waitFor()
    },
  },
  { name: 'rcs-create', as: 'admin', path: settings, act: press('Create bot') },
]

const templateShots: readonly Shot[] = [
  { name: 'rcs-templates', as: 'manager', path: templates },
  { name: 'rcs-templates-empty', as: 'manager2', path: templates },
  { name: 'rcs-templates-watched', as: 'department-head', path: '/department-head/manage-templates/rcs' },
  { name: 'rcs-template-new', as: 'manager', path: creation },
  { name: 'rcs-template-new-denied', as: 'department-head', path: '/department-head/manage-templates/rcs/creation' },
  {
    name: 'rcs-template',
    as: 'manager',
    path: templates,
    act: async (page) => {
      await openMenuOf(page, 'festive_gift_guide')
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await page.getByRole('button', { name: 'Save template' }).waitFor()
    },
  },
]

export const rcsShots: readonly Shot[] = [...botShots, ...adminShots, ...templateShots]
