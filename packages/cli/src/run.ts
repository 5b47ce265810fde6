import { parseArgs } from 'node:util'
import { CarillonError } from '@carillon/sdk'
import { CommandError, UsageError, type Command, type Terminal } from './command.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { send } from './commands/send.ts'
import { tail } from './commands/tail.ts'
import { trigger } from './commands/trigger.ts'

const commands: Readonly<Record<string, Command>> = { login, send, tail, listen, trigger }

const help = `Usage: carillon COMMAND [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`)
  .join('\n')}

carillon COMMAND --help describes the options of a command; carillon --version prints the version.
Exit codes: 0 done, 1 the call failed, 2 wrong arguments, 130 ended by Ctrl+C.`

/** Runs one command, and returns the exit code. */
export async function run(terminal: Terminal, version: string, args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === '--version') return done(() => terminal.out(version))
  if (name === '--help' || name === 'help') return done(() => terminal.out(help))
  if (name === undefined || !Object.hasOwn(commands, name)) {
    terminal.note(name === undefined ? help : `There is no command ${name}: see carillon --help`)
    return 2
  }
  return runCommand(terminal, name, rest)
}

async function runCommand(terminal: Terminal, name: string, rest: string[]): Promise<number> {
  const command = commands[name]
  if (!command) return 2
  if (rest.includes('--help') || rest.includes('-h')) return done(() => terminal.out(command.help))
  try {
    const { values, positionals } = parse(command, rest)
    await command.run(terminal, { values, positionals })
    return 0
  } catch (error) {
    if (terminal.signal.aborted) return 130
    return report(terminal, { error, isJson: rest.includes('--json'), name })
  }
}

function done(print: () => void): number {
  print()
  return 0
}

function parse({ options, takesWords }: Command, args: string[]) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: takesWords === true })
    // All options are texts, flags, or lists of texts, which the command reads itself.
    return { values: values as Record<string, string | boolean | undefined>, positionals }
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : 'Wrong arguments')
  }
}

type Failed = { error: unknown; isJson: boolean; name: string }

/** Errors of the server have a code and fields. None contains the key. */
function report({ note }: Terminal, { error, isJson, name }: Failed): number {
  if (error instanceof CarillonError) {
    const { status, code, message, details } = error
    if (isJson) note(JSON.stringify({ status, code, message, details }))
    else note([`${message} (${code})`, ...details.map((detail) => `  ${detail.field}: ${detail.message}`)].join('\n'))
    return 1
  }
  if (!(error instanceof UsageError) && !(error instanceof CommandError)) throw error
  const isUsage = error instanceof UsageError
  const message = isUsage ? `${error.message}\nSee carillon ${name} --help` : error.message
  note(isJson ? JSON.stringify({ code: isUsage ? 'usage' : 'failed', message: error.message }) : message)
  return isUsage ? 2 : 1
}
