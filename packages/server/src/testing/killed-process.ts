import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { ProcessRole } from '../config.ts'
import type { FailPoint } from '../lib/fail-points.ts'
import type { TestServer } from './server.ts'

type Options = {
  /** By default `web`. */
  role?: ProcessRole
  /** The time that it passes the fail point; the first by default. */
  nth?: number
  environment?: NodeJS.ProcessEnv
}

export type KilledProcesses = {
  /** Starts a process on the server's database that kills itself at the fail point. */
  startKilledAt(point: FailPoint, options?: Options): Promise<{ url: string; exited: Promise<unknown> }>
  /** Ends those that did not pass their fail point. */
  end(): void
}

export function killedProcesses({ databaseUrl, dataDirectory }: Pick<TestServer, 'databaseUrl' | 'dataDirectory'>) {
  const processes: ChildProcess[] = []
  const killed: KilledProcesses = {
    async startKilledAt(point, { role = 'web', nth = 1, environment } = {}) {
      const port = await freePort()
      const env = {
        ...process.env,
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDirectory,
        [role === 'web' ? 'PORT' : 'METRICS_PORT']: String(port),
        DEMO: 'off',
        LOG_LEVEL: 'silent',
        ...environment,
        FAIL_POINTS: `${point}:kill:${nth}`,
      }
      const main = fileURLToPath(new URL('../main.ts', import.meta.url))
      const child = spawn(process.execPath, [main, `--run=${role}`], { env, stdio: 'ignore' })
      processes.push(child)
      const url = `http://127.0.0.1:${port}`
      const exited = once(child, 'exit')
      await expect
        .poll(async () => child.signalCode !== null || (await isLive(url)), { timeout: 30_000, interval: 100 })
        .toBe(true)
      return { url, exited }
    },
    end() {
      for (const one of processes) if (one.exitCode === null && one.signalCode === null) one.kill('SIGKILL')
    },
  }
  return killed
}

function isLive(url: string): Promise<boolean> {
  return fetch(`${url}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  )
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
