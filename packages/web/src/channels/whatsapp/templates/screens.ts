import type { TemplateScreens } from '../../channel-templates.ts'

export const whatsappTemplateScreens: TemplateScreens = {
  label: 'WhatsApp template',
  listPath: 'manage-templates/whatsapp',
  editorPath: 'manage-templates/whatsapp/whatsapp-template-creation',
  wizardPath: 'campaigns/whatsapp-campaign-creation',
  listCall: 'waTemplates.list',
  createCall: 'waTemplates.create',
}
