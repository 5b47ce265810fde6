/**
 * Recognises a database that was restored from a backup and pauses sending until an admin has decided what is sent.
 * Handing messages over is the business of the engine, which asks here before it takes a lane.
 */
export { restoreHandlers } from './handlers.ts'
export { openRestoreGuard, type RestoreGuard } from './restore-guard.ts'
