import type { TemplateScreens } from '../../channel-templates.ts'

export const rcsTemplateScreens: TemplateScreens = {
  label: 'RCS template',
  listPath: 'manage-templates/rcs',
  editorPath: 'manage-templates/rcs/creation',
  wizardPath: 'campaigns/rcs-campaign-creation',
  listCall: 'rcsTemplates.list',
  createCall: 'rcsTemplates.create',
}
