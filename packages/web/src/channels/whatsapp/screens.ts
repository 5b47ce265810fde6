import { lazyScreen } from '../../lib/lazy-screen.ts'
import type { ChannelScreens } from '../channel-screens.ts'

const roles = ['manager', 'user', 'department_head'] as const

export const whatsappScreens: ChannelScreens = {
  accounts: {
    path: 'channels/whatsapp',
    title: 'WhatsApp',
    label: 'WhatsApp',
    position: 2,
    roles,
    component: lazyScreen(() => import('./accounts/whatsapp-page.tsx'), 'WhatsappPage'),
  },
  templates: {
    path: 'manage-templates/whatsapp',
    title: 'WhatsApp templates',
    label: 'WhatsApp',
    position: 3,
    isReviewed: true,
    roles,
    module: 'template',
    component: lazyScreen(() => import('./templates/whatsapp-templates-page.tsx'), 'WhatsappTemplatesPage'),
  },
  newTemplate: {
    path: 'manage-templates/whatsapp/whatsapp-template-creation',
    title: 'New WhatsApp template',
    roles,
    module: 'template',
    call: 'waTemplates.create',
    component: lazyScreen(() => import('./templates/whatsapp-template-page.tsx'), 'WhatsappTemplatePage'),
  },
  newCampaign: {
    path: 'campaigns/whatsapp-campaign-creation',
    title: 'New WhatsApp campaign',
    roles,
    module: 'campaign',
    channel: 'whatsapp',
  },
}
