/** Fails if the build exceeds its budget, in gzipped kilobytes: before sign-in, with the shell, and for each further route. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

type Entry = { file: string; imports?: string[]; dynamicImports?: string[]; isEntry?: boolean; src?: string }

const dist = fileURLToPath(new URL('../packages/web/dist', import.meta.url))
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Entry>
const budget = { login: 125, shell: 220, route: 90 }

const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)
if (!entry) throw new Error('The build has no entry')
const start = closure([entry])
const login = closure([entry, ...named('login-page')])
const shell = closure([entry, ...named('shell/area.tsx')])
const routes = Object.keys(manifest).filter(
  (key) => /(?:features|channels)\/.*-page\.tsx$/.test(key) && !key.includes('login-page'),
)

const rows = [
  { name: 'login', size: size(login), limit: budget.login },
  { name: 'shell', size: size(shell), limit: budget.shell },
  ...routes.map((key) => ({
    name: key,
    size: size(new Set([...closure([key])].filter((file) => !shell.has(file) && !start.has(file)))),
    limit: budget.route,
  })),
]
for (const { name, size: kilobytes, limit } of rows)
  console.log(`${kilobytes <= limit ? 'ok  ' : 'OVER'} ${kilobytes.toFixed(1).padStart(6)} of ${limit} KB  ${name}`)
process.exit(rows.every(({ size: kilobytes, limit }) => kilobytes <= limit) ? 0 : 1)

function named(part: string): string[] {
  return Object.keys(manifest).filter((key) => key.includes(part))
}

/** All files that a chunk loads: itself and its static imports. */
function closure(keys: string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || seen.has(chunk.file)) return
    seen.add(chunk.file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return seen
}

function size(files: Set<string>): number {
  return (
    [...files]
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0) / 1024
  )
}
