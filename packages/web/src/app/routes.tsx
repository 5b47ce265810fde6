import { campaignWizards, unifiedCampaignPath } from '../channels/campaign-wizards.ts'
import type { WizardScreen } from '../channels/channel-screens.ts'
import { channelScreens } from '../channels/screens.ts'
import { lazyScreen, type Screen } from '../lib/lazy-screen.ts'

const members = ['manager', 'user', 'department_head'] as const

/** All screens, one entry each. The sidebar shows items of `shell/navigation.ts` whose screen is listed here. */
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
    path: 'campaigns/unified',
    title: 'Unified campaigns',
    roles: members,
    module: 'campaign',
    component: lazyScreen(() => import('../features/campaigns/unified/unified-page.tsx'), 'UnifiedPage'),
  },
  {
    path: unifiedCampaignPath,
    title: 'New unified campaign',
    roles: members,
    module: 'campaign',
    component: unifiedWizard(),
  },
  {
    path: 'channels',
    title: 'Communication Channels',
    roles: members,
    component: lazyScreen(() => import('../features/channels/channels-page.tsx'), 'ChannelsPage'),
  },
  {
    path: 'manage-templates',
    title: 'Templates',
    roles: members,
    module: 'template',
    component: lazyScreen(() => import('../features/templates/templates-page.tsx'), 'TemplatesPage'),
  },
  {
    path: 'manage-templates/unified',
    title: 'Template families',
    roles: members,
    module: 'template',
    component: lazyScreen(() => import('../features/templates/families/families-page.tsx'), 'FamiliesPage'),
  },
  {
    path: 'chats',
    title: 'Conversations',
    roles: members,
    module: 'chat',
    component: lazyScreen(() => import('../features/chats/chats-page.tsx'), 'ChatsPage'),
  },
  {
    path: 'agents',
    title: 'Team Members',
    roles: members,
    module: 'agent',
    component: lazyScreen(() => import('../features/agents/agents-page.tsx'), 'AgentsPage'),
  },
  {
    path: 'api-management',
    title: 'API Control',
    roles: members,
    module: 'api',
    component: lazyScreen(() => import('../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  },
  {
    path: 'api',
    title: 'API Control',
    roles: members,
    module: 'api',
    component: lazyScreen(() => import('../features/api-keys/api-alias-page.tsx'), 'ApiAliasPage'),
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
    path: 'reports',
    title: 'Performance Reports',
    roles: members,
    component: lazyScreen(() => import('../features/reports/reports-page.tsx'), 'ReportsPage'),
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
  ...Object.values(channelScreens).flatMap(({ accounts, templates, newTemplate }) =>
    [accounts, templates, newTemplate].filter((screen) => screen !== undefined),
  ),
  ...campaignWizards().map((screen) => ({ ...screen, component: wizardOf(screen) })),
]

function unifiedWizard() {
  return lazyScreen(async () => {
    const { loadUnifiedWizard } = await import('../features/campaigns/wizard/load-wizard.tsx')
    return loadUnifiedWizard()
  }, 'Wizard')
}

function wizardOf({ channel }: WizardScreen) {
  return lazyScreen(async () => {
    const { loadWizard } = await import('../features/campaigns/wizard/load-wizard.tsx')
    return loadWizard(channel)
  }, 'Wizard')
}
