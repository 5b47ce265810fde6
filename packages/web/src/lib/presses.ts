import { CallError } from './call.ts'

/** A double click or a double Enter comes within this time. */
const doublePressMs = 600

/**
 * Keeps one form or button from making the same write twice. A press with the input of the write before it is ignored
 * while that write is under way, and for a moment after it was pressed. Each write has an idempotency key, which lasts
 * until the server has answered: a retry after a lost answer has the same one.
 */
export class Presses {
  readonly #underWay = new Set<string>()
  readonly #keys = new Map<string, string>()
  #last: { print: string; at: number } | undefined
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Makes the write unless the press is a repeat of the one before; then nothing happens and the answer is undefined. */
  run<Result>(input: unknown, write: (key: string) => Promise<Result>): Promise<Result> | undefined {
    if (!this.begin(input)) return undefined
    return this.finish(input, write)
  }

  /** Whether a write may begin; false for a repeated press. */
  begin(input: unknown): boolean {
    const print = fingerprint(input)
    const isRepeat = this.#last?.print === print && this.#now() - this.#last.at < doublePressMs
    if (isRepeat || this.#underWay.has(print)) return false
    this.#last = { print, at: this.#now() }
    this.#underWay.add(print)
    return true
  }

  /** Makes the write that `begin` allowed. */
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

/** A refusal leaves nothing behind; without an answer, or with a conflict, the write may have been made. */
function wasAnswered(error: unknown): boolean {
  return error instanceof CallError && error.status >= 400 && error.status < 500 && error.status !== 409
}

/** The same for the same values; a file counts by its name, size and time. */
function fingerprint(input: unknown): string {
  return (
    JSON.stringify(input, (_, value: unknown) =>
      value instanceof File ? [value.name, value.size, value.lastModified] : value,
    ) ?? ''
  )
}
