import type { Module, Role } from '@carillon/contract/roles'
import { type RouteComponent } from '@tanstack/react-router'
import { allCampaignChannels } from '../channels/campaign-channels.ts'
import { loadWizard } from '../features/campaigns/wizard/load-wizard.tsx'
import { lazyScreen } from './lazy-screen.ts'

export type Screen = {
  /** Inside the area; empty for its front page. */
  path: string
  /** For the breadcrumbs and the palette. */
  title: string
  roles: readonly Role[]
  /** The module it belongs to; an account without it sees 'Access Restricted'. */
  module?: Module
  component: RouteComponent
}

const members = ['manager', 'user', 'department_head'] as const

/** Every screen that exists, one entry each. The sidebar shows the items of `shell/navigation.ts` that stand here. */
export const screens: readonly Screen[] = [
  {
    path: '',
    title: 'Overview',
    roles: members,
    component: lazyScreen(() => import('../features/overview/front-page.tsx'), 'FrontPage'),
  },
  {
    path: '',
    title: 'Dashboard',
    roles: ['admin', 'reseller'],
    component: lazyScreen(() => import('../features/overview/dashboard-page.tsx'), 'DashboardPage'),
  },
  {
    path: 'campaigns',
    title: 'Campaigns',
    roles: members,
    module: 'campaign',
    component: lazyScreen(() => import('../features/campaigns/list/campaigns-page.tsx'), 'CampaignsPage'),
  },
  {
    path: 'campaigns/individual-numbers',
    title: 'Individual numbers',
    roles: members,
    module: 'campaign',
    component: lazyScreen(
      () => import('../features/campaigns/numbers/individual-numbers-page.tsx'),
      'IndividualNumbersPage',
    ),
  },
  {
    path: 'campaigns/individual-reports',
    title: 'Individual reports',
    roles: members,
    module: 'campaign',
    component: lazyScreen(
      () => import('../features/campaigns/numbers/individual-reports-page.tsx'),
      'IndividualReportsPage',
    ),
  },
  {
    path: 'channels',
    title: 'Communication Channels',
    roles: members,
    component: lazyScreen(() => import('../features/channels/channels-page.tsx'), 'ChannelsPage'),
  },
  {
    path: 'channels/sms',
    title: 'SMS accounts',
    roles: members,
    component: lazyScreen(() => import('../channels/sms/accounts/sms-accounts-page.tsx'), 'SmsAccountsPage'),
  },
  {
    path: 'channels/whatsapp',
    title: 'WhatsApp',
    roles: members,
    component: lazyScreen(() => import('../channels/whatsapp/accounts/whatsapp-page.tsx'), 'WhatsappPage'),
  },
  ...allCampaignChannels().map(({ channel, wizard, label }) => ({
    path: wizard,
    title: `New ${label} campaign`,
    roles: members,
    module: 'campaign' as const,
    component: lazyScreen(() => loadWizard(channel), 'Wizard'),
  })),
  {
    path: 'manage-templates',
    title: 'Templates',
    roles: members,
    module: 'template',
    component: lazyScreen(() => import('../features/templates/templates-page.tsx'), 'TemplatesPage'),
  },
  {
    path: 'manage-templates/sms',
    title: 'SMS templates',
    roles: members,
    module: 'template',
    component: lazyScreen(() => import('../channels/sms/templates/sms-templates-page.tsx'), 'SmsTemplatesPage'),
  },
  {
    path: 'manage-templates/create-sms',
    title: 'New SMS template',
    roles: members,
    module: 'template',
    component: lazyScreen(() => import('../channels/sms/templates/create-sms-page.tsx'), 'CreateSmsPage'),
  },
  {
    path: 'manage-templates/whatsapp',
    title: 'WhatsApp templates',
    roles: members,
    module: 'template',
    component: lazyScreen(
      () => import('../channels/whatsapp/templates/whatsapp-templates-page.tsx'),
      'WhatsappTemplatesPage',
    ),
  },
  {
    path: 'manage-templates/whatsapp/whatsapp-template-creation',
    title: 'New WhatsApp template',
    roles: members,
    module: 'template',
    component: lazyScreen(
      () => import('../channels/whatsapp/templates/whatsapp-template-page.tsx'),
      'WhatsappTemplatePage',
    ),
  },
  {
    path: 'billing',
    title: 'Subscription & Billing',
    roles: members,
    component: lazyScreen(() => import('../features/billing/billing-page.tsx'), 'BillingPage'),
  },
  {
    path: 'billing',
    title: 'Billing',
    roles: ['reseller'],
    component: lazyScreen(() => import('../features/billing/billing-page.tsx'), 'BillingPage'),
  },
  {
    path: 'general',
    title: 'System Settings',
    roles: members,
    component: lazyScreen(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
  },
  {
    path: 'settings',
    title: 'Settings',
    roles: ['admin', 'reseller'],
    component: lazyScreen(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
  },
  {
    path: 'users',
    title: 'Users',
    roles: ['admin', 'reseller', 'manager'],
    component: lazyScreen(() => import('../features/users/users-page.tsx'), 'UsersPage'),
  },
  {
    path: 'sub-users',
    title: 'Sub-accounts',
    roles: ['manager'],
    component: lazyScreen(() => import('../features/users/sub-accounts-page.tsx'), 'SubAccountsPage'),
  },
  {
    path: 'quota-management',
    title: 'Quota Management',
    roles: ['reseller'],
    component: lazyScreen(() => import('../features/quota-management/quota-page.tsx'), 'QuotaPage'),
  },
  {
    path: 'quota-reports',
    title: 'Quota Reports',
    roles: ['admin'],
    component: lazyScreen(() => import('../features/quota-reports/quota-reports-page.tsx'), 'QuotaReportsPage'),
  },
  {
    path: 'quota-reports-management',
    title: 'Team Reports',
    roles: members,
    component: lazyScreen(() => import('../features/quota-reports/team-reports-page.tsx'), 'TeamReportsPage'),
  },
  {
    path: 'campaigns',
    title: 'Campaigns',
    roles: ['admin', 'reseller'],
    component: lazyScreen(
      () => import('../features/campaigns/all-campaigns/all-campaigns-page.tsx'),
      'AllCampaignsPage',
    ),
  },
]
