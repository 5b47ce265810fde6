/** `node tools/build-web.ts`: builds the web app if its sources changed. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const marker = join(root, 'packages/web/dist/.sources')
const sources = ['packages/web', 'packages/contract/src', 'package-lock.json']

/** Builds the web app if its sources changed since the last build; exits if the build fails. */
export function buildWebIfChanged(): void {
  const fingerprint = fingerprintOf(sources)
  if (existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint) return
  console.log('Building the browser’s files …')
  const built = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'packages/web', '--logLevel', 'warn'],
    { cwd: root, stdio: 'inherit' },
  )
  if (built.status !== 0) process.exit(1)
  writeFileSync(marker, fingerprint)
}

/** A hash of the paths and contents of all files. */
function fingerprintOf(places: string[]): string {
  const hash = createHash('sha256')
  for (const place of places) visit(join(root, place))
  return hash.digest('hex')

  function visit(path: string) {
    if (/(?:^|[\\/])(?:dist|node_modules)$/.test(path)) return
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name))
    else hash.update(path.slice(root.length)).update(readFileSync(path))
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildWebIfChanged()
