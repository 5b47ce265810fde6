import type { RestoreReason } from './detect-restore.ts'

const explanations: Record<RestoreReason, string> = {
  database_behind: 'The database is older than the one this installation last sent from',
  other_history: 'The database does not continue the one this installation last sent from',
  other_server: 'The database has moved to another PostgreSQL server',
  other_database: 'The database was restored under another name or recreated',
  new_timeline: 'The PostgreSQL server was restored to a point in time or has failed over',
  copied_folder: 'The data folder is a copy',
  missing_state: 'The data folder contains a database, but not its sending state',
  requested: 'The server was started with --after-restore',
}

/** Why sending is paused, as a sentence without full stop. */
export function explainPause(reason: RestoreReason): string {
  return explanations[reason]
}

/** For terminal and log: the reason and what to do. */
export function describePause(reason: RestoreReason): string {
  return `Sending is paused: ${lowerFirst(explainPause(reason))}, so messages could be sent twice. Sign in as an admin and open Settings, Sending to resume`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
