import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestServer } from './server.ts'

/** Starts a worker process on the database and the files of the server. */
export function startWorker({
  databaseUrl,
  dataDirectory,
}: Pick<TestServer, 'databaseUrl' | 'dataDirectory'>): ChildProcess {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const environment = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDirectory,
    PORT: '0',
    DEMO: 'off',
    LOG_LEVEL: 'silent',
  }
  return spawn(process.execPath, [main, '--run=worker'], { env: environment, stdio: 'ignore' })
}

/** Kills a process that may have ended, and waits until it is gone. */
export async function killWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const gone = once(worker, 'exit')
  worker.kill('SIGKILL')
  await gone
}
