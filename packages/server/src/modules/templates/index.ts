/**
 * Templates: texts as they were approved, the rules they must keep, what they cost at best and at worst.
 * Filling them in and sending them is the business of campaigns and messages.
 */
export { presentTemplate, templateHandlers } from './handlers.ts'
export { SmsContent } from './sms-content.ts'
export { findTemplate, ofReachedOrganizations, type TemplateRow } from './templates.queries.ts'
export { createTemplate } from './write-template.ts'
