/**
 * Detects a database restored from a backup and pauses sending until an admin has decided what to send. The engine checks
 * this before it claims a lane.
 */
export { restoreHandlers } from './handlers.ts'
export { openRestoreGuard, type RestoreGuard } from './restore-guard.ts'
