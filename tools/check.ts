/** `npm run check`: format, lint, types, imports and table owners, unused code, generated files, the code budget. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Check = { name: string; command: string[] }

const root = fileURLToPath(new URL('..', import.meta.url))

export const checks: Check[] = [
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'lint', command: ['oxlint', '--type-aware'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'imports and tables', command: ['node', 'tools/check-imports.ts'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
  { name: 'generated files', command: ['node', 'tools/write-api-docs.ts', '--check'] },
  { name: 'generated SDK', command: ['node', 'tools/write-sdk.ts', '--check'] },
  { name: 'code budget', command: ['node', 'tools/check-budget.ts'] },
]

/** Runs one check; prints its output only if it fails. */
export function runCheck({ name, command }: Check): boolean {
  const [program = '', ...flags] = command
  const started = Date.now()
  const done = spawnSync(program, flags, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(`${done.status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (done.status !== 0) console.log(`${done.stdout}${done.stderr}`.trim().slice(0, 20_000))
  return done.status === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const failed = checks.filter((check) => !runCheck(check))
  process.exit(failed.length === 0 ? 0 : 1)
}
