/**
 * Templates: texts as they were approved, the rules they must keep, what they cost at best and at worst.
 * Filling them in and sending them is the business of campaigns and messages.
 */
export { presentTemplate, templateHandlers } from '../../channels/sms/calls/template-handlers.ts'
export { findTemplate, ofOrganizationsInScope, type TemplateRow } from './templates.queries.ts'
export { createTemplate } from './write-template.ts'
export { type TemplateStatusEffect } from './change-template.ts'
export { applyTemplateChanges, type OnTemplateStatus } from './sync-templates.ts'
export { countTemplateUse, deleteTemplatesOf } from './used-templates.ts'
export { rateCategoryOf } from '../../channels/whatsapp/template-labels.ts'
export { presentWhatsappTemplate, whatsappTemplateHandlers, type WhatsappTemplateDeps } from '../../channels/whatsapp/calls/template-handlers.ts'
export { enqueueTemplateSync, templateCron, templateJobs } from './template-jobs.ts'
export {
  findPlainTemplate,
  findWhatsappTemplate,
  ProviderTemplateState,
  type WhatsappTemplateRow,
} from './reviewed-templates.queries.ts'
