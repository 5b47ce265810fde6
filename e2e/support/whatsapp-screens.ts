import type { Page } from 'playwright-core'
import { openDraft, openMenuOf, typeNumber, type WizardStep } from './screen-acts.ts'
import type { Shot } from './shot.ts'

const channel = '/organization/channels/whatsapp'
const templates = '/organization/manage-templates/whatsapp'
const campaigns = '/organization/campaigns'
const wizard = `${campaigns}/whatsapp-campaign-creation`
const builder = `${templates}/whatsapp-template-creation`

const openTab = (name: string) => async (page: Page) => {
  await page.getByRole('tab', { name }).click()
}

const edit = async (page: Page, name: string) => {
  await openMenuOf(page, name)
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('button', { name: /^Submit/ }).waitFor()
}

const atStep = (step: WizardStep) => (page: Page) => openDraft(page, step, 'Diwali preview')
const wizardSteps: readonly WizardStep[] = ['audience', 'template', 'personalise', 'failover', 'review']

const peekAt = async (page: Page) => {
  await page.getByText('Orders on their way').filter({ visible: true }).first().click()
  await page.getByRole('dialog').waitFor()
}
const readReport = async (page: Page) => {
  await page.getByLabel('Campaign', { exact: true }).selectOption({ label: 'Orders on their way' })
  await page.getByRole('region', { name: 'Recipients table' }).waitFor()
}

/** The wizard in its five steps, and the report of a campaign with SMS failover. */
const campaignShots: readonly Shot[] = [
  { name: 'whatsapp-campaigns', as: 'manager', path: `${campaigns}?t=whatsapp` },
  { name: 'whatsapp-campaign-peek', as: 'manager', path: campaigns, act: peekAt },
  { name: 'whatsapp-report', as: 'manager', path: `${campaigns}/individual-reports`, act: readReport },
  {
    name: 'whatsapp-number-journey',
    as: 'manager',
    path: `${campaigns}/individual-numbers`,
    act: (page) =>
      typeNumber(page, '+91 90300 00026').then(() => page.getByText('Orders on their way').first().waitFor()),
  },
  { name: 'whatsapp-wizard-new', as: 'manager', path: wizard },
  ...wizardSteps.map((step): Shot => ({
    name: `whatsapp-wizard-${step}`,
    as: 'manager',
    path: campaigns,
    act: atStep(step),
  })),
  { name: 'whatsapp-wizard-unconnected', as: 'manager2', path: `${wizard}?t=1` },
  {
    name: 'whatsapp-wizard-denied',
    as: 'department-head',
    path: '/department-head/campaigns/whatsapp-campaign-creation',
  },
]

/** WhatsApp's accounts with their steps, numbers and profile, and the templates with their builder. */
export const whatsappShots: readonly Shot[] = [
  { name: 'whatsapp-numbers', as: 'manager', path: channel },
  { name: 'whatsapp-accounts', as: 'manager', path: channel, act: openTab('Accounts') },
  { name: 'whatsapp-analytics', as: 'manager', path: channel, act: openTab('Analytics') },
  { name: 'whatsapp-profile', as: 'manager', path: channel, act: openTab('Business profile') },
  {
    name: 'whatsapp-disconnect',
    as: 'manager',
    path: channel,
    act: async (page) => {
      await openTab('Accounts')(page)
      await page.getByRole('button', { name: 'Disconnect…' }).click()
    },
  },
  { name: 'whatsapp-watched', as: 'department-head', path: '/department-head/channels/whatsapp' },
  { name: 'whatsapp-empty', as: 'manager2', path: channel },
  {
    name: 'whatsapp-by-hand',
    as: 'manager2',
    path: channel,
    act: (page) => page.getByRole('button', { name: 'Connect manually' }).click(),
  },
  { name: 'whatsapp-templates', as: 'manager', path: templates },
  { name: 'whatsapp-templates-empty', as: 'manager2', path: templates },
  { name: 'whatsapp-templates-denied', as: 'department-head', path: '/department-head/manage-templates/whatsapp' },
  {
    name: 'whatsapp-template-peek',
    as: 'manager',
    path: templates,
    act: async (page) => {
      await page.getByText('order_shipped').filter({ visible: true }).first().click()
      await page.getByRole('region', { name: 'History' }).waitFor()
    },
    except: 'phone',
  },
  {
    name: 'whatsapp-template-delete',
    as: 'manager',
    path: templates,
    act: async (page) => {
      await openMenuOf(page, 'order_shipped')
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
    },
  },
  { name: 'whatsapp-builder', as: 'manager', path: templates, act: (page) => edit(page, 'order_shipped') },
  {
    name: 'whatsapp-builder-problems',
    as: 'manager',
    path: templates,
    act: async (page) => {
      await edit(page, 'store_opening')
      await page.getByRole('button', { name: /^Submit/ }).click()
    },
  },
  {
    name: 'whatsapp-builder-code',
    as: 'manager',
    path: builder,
    act: (page) => page.getByRole('radio', { name: 'Authentication' }).click(),
  },
  {
    name: 'whatsapp-builder-cards',
    as: 'manager',
    path: builder,
    act: (page) => page.getByRole('button', { name: 'Add carousel cards' }).click(),
  },
  { name: 'whatsapp-builder-unconnected', as: 'manager2', path: builder },
  ...campaignShots,
]
