/**
 * Statuses of a template that its provider reviews; a draft has not been submitted yet. Only approved templates can be sent. URLs
 * contain the index of a status, so values may only be appended.
 */
export const reviewStatuses = [
  'DRAFT',
  'PENDING',
  'APPROVED',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'PENDING_DELETION',
  'DELETED',
  'LIMIT_EXCEEDED',
  'ARCHIVED',
] as const
