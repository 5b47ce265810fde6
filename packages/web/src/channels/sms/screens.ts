import { lazyScreen } from '../../lib/lazy-screen.ts'
import type { ChannelScreens } from '../channel-screens.ts'
import { smsTemplateScreens } from './templates/screens.ts'

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
    path: smsTemplateScreens.listPath,
    title: 'SMS templates',
    label: 'SMS',
    position: 2,
    roles,
    module: 'template',
    component: lazyScreen(() => import('./templates/templates-page.tsx'), 'SmsTemplatesPage'),
  },
  newTemplate: {
    path: smsTemplateScreens.editorPath,
    title: 'New SMS template',
    roles,
    module: 'template',
    call: smsTemplateScreens.createCall,
    component: lazyScreen(() => import('./templates/editor-page.tsx'), 'SmsTemplatePage'),
  },
  newCampaign: {
    path: smsTemplateScreens.wizardPath,
    title: 'New SMS campaign',
    roles,
    module: 'campaign',
    channel: 'sms',
  },
}
