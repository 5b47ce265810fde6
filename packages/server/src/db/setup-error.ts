/** Why the database cannot be used as configured, and the remedy, in one line. */
export class DatabaseSetupError extends Error {
  override name = 'DatabaseSetupError'
}
