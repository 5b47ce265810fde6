import { lazyScreen } from '../../lib/lazy-screen.ts'
import type { ChannelScreens } from '../channel-screens.ts'

const roles = ['manager', 'user', 'department_head'] as const

export const smsScreens: ChannelScreens = {
  accounts: {
    path: 'channels/sms',
    title: 'SMS accounts',
    label: 'SMS',
    position: 3,
    roles,
    component: lazyScreen(() => import('./accounts/sms-accounts-page.tsx'), 'SmsAccountsPage'),
  },
  templates: {
    path: 'manage-templates/sms',
    title: 'SMS templates',
    label: 'SMS',
    position: 2,
    roles,
    module: 'template',
    component: lazyScreen(() => import('./templates/sms-templates-page.tsx'), 'SmsTemplatesPage'),
  },
  newTemplate: {
    path: 'manage-templates/create-sms',
    title: 'New SMS template',
    roles,
    module: 'template',
    call: 'smsTemplates.create',
    component: lazyScreen(() => import('./templates/create-sms-page.tsx'), 'CreateSmsPage'),
  },
  newCampaign: {
    path: 'campaigns/sms-campaign-creation',
    title: 'New SMS campaign',
    roles,
    module: 'campaign',
    channel: 'sms',
  },
}
