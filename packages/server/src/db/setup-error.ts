/** Why the database cannot be used as it is set up, and the remedy, in one line. */
export class DatabaseSetupError extends Error {
  override name = 'DatabaseSetupError'
}
