import { CallError } from './call.ts'

/** Maximum time between the presses of a double click or double Enter. */
const doublePressMs = 600

/**
 * Prevents a form or button from making the same write twice. A press with the same input is ignored while the previous
 * write runs, and briefly after the press. Each write has an idempotency key, kept until the server has responded, so that a
 * retry after a lost response uses the same one.
 */
export class Presses {
  readonly #underWay = new Set<string>()
  readonly #keys = new Map<string, string>()
  #last: { print: string; at: number } | undefined
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Makes the write unless the press is a repeat; then returns undefined. */
  run<Result>(input: unknown, write: (key: string) => Promise<Result>): Promise<Result> | undefined {
    if (!this.begin(input)) return undefined
    return this.finish(input, write)
  }

  /** Whether a write may start; false for a repeated press. */
  begin(input: unknown): boolean {
    const print = fingerprint(input)
    const isRepeat = this.#last?.print === print && this.#now() - this.#last.at < doublePressMs
    if (isRepeat || this.#underWay.has(print)) return false
    this.#last = { print, at: this.#now() }
    this.#underWay.add(print)
    return true
  }

  /** Makes the write allowed by `begin`. */
  async finish<Result>(input: unknown, write: (key: string) => Promise<Result>): Promise<Result> {
    const print = fingerprint(input)
    const key = this.#keys.get(print) ?? crypto.randomUUID()
    this.#keys.set(print, key)
    try {
      const result = await write(key)
      this.#keys.delete(print)
      return result
    } catch (error) {
      if (wasAnswered(error)) this.#keys.delete(print)
      throw error
    } finally {
      this.#underWay.delete(print)
    }
  }
}

/** After a rejection nothing was written; without a response, or on a conflict, the write may have happened. */
function wasAnswered(error: unknown): boolean {
  return error instanceof CallError && error.status >= 400 && error.status < 500 && error.status !== 409
}

/** Equal for equal values; a file is identified by name, size and time. */
function fingerprint(input: unknown): string {
  return (
    JSON.stringify(input, (_, value: unknown) =>
      value instanceof File ? [value.name, value.size, value.lastModified] : value,
    ) ?? ''
  )
}
