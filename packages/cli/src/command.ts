import type { ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Values = Record<string, string | boolean | undefined>

/** Where a command reads and writes. */
export type Terminal = {
  out(line: string): void
  /** For people: it does not appear in the output of a pipe. */
  note(line: string): void
  ask(question: string, options?: { isSecret: boolean }): Promise<string>
  env: Readonly<Record<string, string | undefined>>
  /** Aborted when the person ends the program. */
  signal: AbortSignal
}

export type Input = { values: Values; positionals: string[] }

export type Command = {
  /** One line in the list of commands. */
  summary: string
  help: string
  options: Options
  /** Whether words without an option mean something. */
  takesWords?: true
  run(terminal: Terminal, input: Input): Promise<void>
}

/** A mistake in how the program was called: exit code 2. */
export class UsageError extends Error {}

/** Anything else that a person can act on: exit code 1. */
export class CommandError extends Error {}

export function textOf({ values }: Input, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Options of every command that calls the server. */
export const callOptions = {
  url: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean' },
} as const satisfies Options

export const callHelp = `  --url URL     Address of the server. Default: CARILLON_URL, or that of the login
  --key KEY     API key. Default: CARILLON_API_KEY, or that of the login. Arguments are visible to other users of this machine
  --json        Print JSON, one value a line`
