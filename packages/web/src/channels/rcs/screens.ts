import { lazyScreen } from '../../lib/lazy-screen.ts'
import type { ChannelScreens } from '../channel-screens.ts'
import { rcsTemplateScreens } from './templates/screens.ts'

const roles = ['manager', 'user', 'department_head'] as const

export const rcsScreens: ChannelScreens = {
  accounts: {
    path: 'channels/rcs',
    title: 'RCS bots',
    label: 'RCS',
    position: 1,
    roles,
    component: lazyScreen(() => import('./accounts/bots-page.tsx'), 'RcsBotsPage'),
  },
  templates: {
    path: rcsTemplateScreens.listPath,
    title: 'RCS templates',
    label: 'RCS',
    position: 1,
    isReviewed: true,
    roles,
    module: 'template',
    component: lazyScreen(() => import('./templates/templates-page.tsx'), 'RcsTemplatesPage'),
  },
  newTemplate: {
    path: rcsTemplateScreens.editorPath,
    title: 'New RCS template',
    roles,
    module: 'template',
    call: rcsTemplateScreens.createCall,
    component: lazyScreen(() => import('./templates/editor-page.tsx'), 'RcsTemplatePage'),
  },
  newCampaign: {
    path: rcsTemplateScreens.wizardPath,
    title: 'New RCS campaign',
    roles,
    module: 'campaign',
    channel: 'rcs',
  },
}
