import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { machineEnvironment } from './machine-environment.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

export type Program = {
  /** Everything printed and logged so far. */
  output(): string
  exitCode: Promise<number | null>
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Runs Carillon as a separate process, on free ports and with its own data folder. */
export function runProgram(settings: Record<string, string>, flags: string[] = []): Program {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-program-'))
  chmodSync(directory, 0o755)
  const env = {
    ...machineEnvironment(),
    DATA_DIR: directory,
    PORT: '0',
    SIMULATOR_HTTP_PORT: '0',
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
    ...settings,
  }
  const child = spawn(process.execPath, [main, ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString()
    })
  const exitCode = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  return {
    output: () => output,
    exitCode,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await exitCode
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
