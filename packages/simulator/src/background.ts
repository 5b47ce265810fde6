/** Lets `promise` finish on its own. A rejection is printed and ends nothing. */
export function inBackground(promise: Promise<unknown>): void {
  promise.catch(warn)
}

/** Runs `work` from a timer or an event. What it throws is printed and ends nothing. */
export function guarded(work: () => void): void {
  try {
    work()
  } catch (error) {
    warn(error)
  }
}

function warn(error: unknown) {
  process.emitWarning(error instanceof Error ? error : String(error))
}
