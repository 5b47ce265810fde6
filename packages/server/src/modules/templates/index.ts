/**
 * Templates with their history. Some belong to a sender, others to an account whose provider reviews them. Their content is
 * defined by the channel; campaigns and messages fill and send them.
 */
export { type TemplateStatusEffect } from './change-template.ts'
export { familyHandlers } from './family-handlers.ts'
export { forgetTemplates, listCampaignsUsing } from './delete-reviewed-templates.ts'
export { readMedia, saveCopy } from './media-copies.ts'
export {
  findReviewedTemplate,
  listLatestTemplates,
  listOfAccount,
  listReviewedTemplates,
  type ReviewedRow,
  type TemplateOwner,
} from './reviewed-templates.queries.ts'
export { submitTemplate } from './submit-template.ts'
export { applyTemplateChanges, syncTemplates, type OnTemplateStatus } from './sync-templates.ts'
export { readCursor, writeCursor } from './template-cursors.ts'
export { listTemplateEvents } from './template-events.ts'
export { enqueueTemplateSync, templateCron, templateJobs } from './template-jobs.ts'
export { findTemplate, listTemplates, ofOrganizationsInScope, type TemplateRow } from './templates.queries.ts'
export { countTemplateUse, deleteTemplatesOf } from './used-templates.ts'
export {
  assertOwnMedia,
  assertResubmittable,
  findToWrite,
  saveDraft,
  saveSubmitted,
} from './write-reviewed-template.ts'
export { createTemplate, deleteTemplate, getTemplateSender, updateTemplate } from './write-template.ts'
