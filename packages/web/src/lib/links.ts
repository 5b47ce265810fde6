import type { AccountStatus } from '@carillon/contract/accounts'
import { openIdParam } from './list-view.ts'
import { choiceParam, defineView, flagParam, idParam, textParam } from './url-state.ts'

/**
 * The parts of screens' URL state that other features link to; `listView` is for the open row of any list. Without the
 * contract's schemas, so that screens with a link do not load them.
 */

/** Every tab of the settings; values may only be appended. */
export const settingsTabs = [
  'profile',
  'preferences',
  'notifications',
  'security',
  'brand',
  'registration',
  'rates',
  'invoices',
  'channels',
  'sending',
  'audit',
  'optOuts',
  'mail',
  'limits',
  'links',
] as const

export const settingsLink = defineView({ tab: choiceParam('t', settingsTabs, 'profile') })

export const reportsLink = defineView({
  tab: choiceParam('t', ['files', 'schedules'], 'files'),
  openId: openIdParam(),
})

export const billingLink = defineView({
  tab: choiceParam('t', ['overview', 'statement', 'requests', 'invoices', 'details', 'margin'], 'overview'),
  box: choiceParam('b', ['mine', 'incoming'], 'mine'),
})

const accountStatuses = [
  'pending',
  'active',
  'suspended',
  'locked',
  'closed',
] as const satisfies readonly AccountStatus[]

export const usersLink = defineView({
  status: choiceParam('u', ['any', ...accountStatuses], 'any'),
  lowBalance: flagParam('l'),
  openId: openIdParam(),
})

export const allCampaignsTabs = ['all', 'under_way', 'needs_help'] as const

export const allCampaignsLink = defineView({
  tab: choiceParam('t', allCampaignsTabs, 'all'),
  openId: openIdParam(),
})

/** Every tab of API Control; values may only be appended. */
export const apiTabs = ['keys', 'configs', 'quickstart', 'webhooks', 'requests'] as const

/** The deliveries of a webhook endpoint. */
export const webhookLink = defineView({ tab: choiceParam('t', apiTabs, 'keys'), endpointId: idParam('w') })

/** The campaign wizard of any channel: a draft, or the template that a new one begins with. */
export const wizardLink = defineView({ draftId: idParam('c'), templateId: idParam('m') })

/** A new campaign over several channels with the templates of a family. */
export const familyCampaignLink = defineView({ familyId: idParam('f') })

/** The journey of a phone number. */
export const numberLink = defineView({ number: textParam('q') })
