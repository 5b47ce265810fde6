/**
 * Who did what. Every event of money, roles, keys and sessions leaves a line that cannot be changed unnoticed.
 * What to record is the business of the module that does the deed.
 */
export { recordAudit, whoActs, type AuditLine } from './record-audit.ts'
