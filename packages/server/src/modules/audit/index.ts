/**
 * The audit log. Every event of money, roles, keys and sessions adds an entry that cannot be changed unnoticed. The acting
 * module decides what to record.
 */
export { recordAudit, whoActs, type AuditLine } from './record-audit.ts'
