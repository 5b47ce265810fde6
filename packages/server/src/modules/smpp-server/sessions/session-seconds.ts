/** A session that no process has seen for this long is over. Sessions are seen every few seconds. */
export const sessionSeconds = 20
