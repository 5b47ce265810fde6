/** `npm run dev`: the server, restarted when its files change, and Vite in front of it with hot reload. */
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const port = process.env['PORT'] ?? '3000'
const environment = { ...process.env, PORT: port, API_ORIGIN: `http://127.0.0.1:${port}` }

const children = [
  start(['--watch', '--watch-preserve-output', 'packages/server/src/main.ts', ...process.argv.slice(2)]),
  start(['node_modules/vite/bin/vite.js', 'packages/web']),
]

// Both receive the terminal's signals; if one ends, the other is stopped.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => stop('SIGTERM'))
for (const child of children) child.on('exit', () => stop('SIGTERM'))

function start(parameters: string[]): ChildProcess {
  return spawn(process.execPath, parameters, { cwd: root, env: environment, stdio: 'inherit' })
}

function stop(signal: NodeJS.Signals) {
  for (const child of children) if (child.exitCode === null) child.kill(signal)
}
