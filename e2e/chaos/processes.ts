import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { machineEnvironment } from '@carillon/server/testing/machine-environment'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type ProcessOptions = {
  name: string
  script: string
  flags?: string[]
  environment: Record<string, string>
  /** Parses the ready line; undefined for other lines. */
  ready(line: string): string | undefined
}

/** A process of the product that can be killed and restarted. */
export type Managed = {
  name: string
  /** The content of its ready line: an address or a JSON text. */
  address(): string
  kill(): Promise<void>
  /** Restarts it, optionally with other settings until the next restart. */
  restart(environment?: Record<string, string>): Promise<void>
  stop(): Promise<void>
  /** Resolves when it exits by itself, with the exit status. */
  ended(): Promise<string>
  /** Unexpected exits: not caused by a kill, a stop or its settings. */
  unexpectedEnds(): readonly string[]
}

export async function manage(options: ProcessOptions): Promise<Managed> {
  let child: ChildProcess
  let address = ''
  let isEndExpected = false
  const unexpectedEnds: string[] = []

  async function launch(extra: Record<string, string> = {}) {
    child = spawn(
      process.execPath,
      [fileURLToPath(new URL(options.script, `file://${root}`)), ...(options.flags ?? [])],
      {
        cwd: root,
        env: { ...machineEnvironment(), ...options.environment, ...extra },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    isEndExpected = Object.keys(extra).length > 0
    child.once('exit', (code, signal) => {
      if (!isEndExpected) unexpectedEnds.push(`${options.name} ended by itself (${signal ?? code})`)
    })
    address = await firstReadyLine(child, options)
  }

  await launch()
  return {
    name: options.name,
    address: () => address,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      isEndExpected = true
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    restart: launch,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      isEndExpected = true
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await once(child, 'exit')
      clearTimeout(timer)
    },
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      return child.signalCode ?? `exit ${child.exitCode}`
    },
    unexpectedEnds: () => unexpectedEnds,
  }
}

async function firstReadyLine(child: ChildProcess, { name, ready }: ProcessOptions): Promise<string> {
  if (!child.stdout || !child.stderr) throw new Error(`${name} has no output`)
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4000)
  })
  const lines = createInterface({ input: child.stdout })
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const found = ready(line)
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code, signal) =>
      reject(new Error(`${name} ended before it was ready (${signal ?? code}): ${complaints}`)),
    )
  })
}
