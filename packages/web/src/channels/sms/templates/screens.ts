import type { TemplateScreens } from '../../channel-templates.ts'

export const smsTemplateScreens: TemplateScreens = {
  label: 'SMS template',
  listPath: 'manage-templates/sms',
  editorPath: 'manage-templates/create-sms',
  wizardPath: 'campaigns/sms-campaign-creation',
  listCall: 'smsTemplates.list',
  createCall: 'smsTemplates.create',
}
