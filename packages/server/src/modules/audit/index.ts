/**
 * The audit log. Every event of money, roles, keys and sessions adds an entry whose later change is detectable. The acting
 * module decides what to record.
 */
export { recordAudit, whoActs, type AuditLine } from './record-audit.ts'
