import { lazyScreen } from '../../lib/lazy-screen.ts'
import type { ChannelScreens } from '../channel-screens.ts'
import { whatsappTemplateScreens } from './templates/screens.ts'

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
    path: whatsappTemplateScreens.listPath,
    title: 'WhatsApp templates',
    label: 'WhatsApp',
    position: 3,
    isReviewed: true,
    roles,
    module: 'template',
    component: lazyScreen(() => import('./templates/templates-page.tsx'), 'WhatsappTemplatesPage'),
  },
  newTemplate: {
    path: whatsappTemplateScreens.editorPath,
    title: 'New WhatsApp template',
    roles,
    module: 'template',
    call: whatsappTemplateScreens.createCall,
    component: lazyScreen(() => import('./templates/editor-page.tsx'), 'WhatsappTemplatePage'),
  },
  newCampaign: {
    path: whatsappTemplateScreens.wizardPath,
    title: 'New WhatsApp campaign',
    roles,
    module: 'campaign',
    channel: 'whatsapp',
  },
}
