// Runs before `npm start` and `npm test`, on whatever Node started npm (18 or later), without dependencies:
// installs the packages if they differ from the lock file, and checks the runtime.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const marker = join(root, 'node_modules', '.carillon-lock')
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')
const installed = existsSync(marker) ? readFileSync(marker, 'utf8') : ''

if (installed !== wanted) {
  console.log('Installing packages …')
  const flags = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const done =
    npm && npm.endsWith('.js')
      ? spawnSync(process.execPath, [npm, ...flags], { cwd: root, stdio: 'inherit' })
      : spawnSync('npm', flags, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (done.status !== 0) {
    console.error('The packages could not be installed; see the output of npm above.')
    process.exit(1)
  }
  writeFileSync(marker, wanted)
}

const bundled = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const [major] = process.versions.node.split('.').map(Number)
if (!existsSync(bundled) && major < 26) {
  console.error(
    `Carillon needs Node 26; there is no package of it for ${process.platform}-${process.arch}, and this machine has ${process.version}.`,
  )
  process.exit(1)
}
