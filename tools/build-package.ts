/** `node tools/build-package.ts sdk|cli`: compiles a package that is published to JavaScript, in its `dist`. `npm pack` runs it. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const [name = ''] = process.argv.slice(2)
if (!['sdk', 'cli'].includes(name)) {
  console.error('Name the package: sdk or cli')
  process.exit(1)
}
// The types of the command line tool come from the built SDK, as for its users.
if (name === 'cli') build('sdk')
build(name)

function build(name: string) {
  const directory = join(root, 'packages', name)
  rmSync(join(directory, 'dist'), { recursive: true, force: true })
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(directory, 'tsconfig.build.json')], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
  for (const file of globSync(join(directory, 'dist/**/*.d.ts'))) rewriteImports(file)
  copyFileSync(join(root, 'LICENSE'), join(directory, 'dist/LICENSE'))
}

/** The compiler rewrites imports of .ts files in JavaScript but not in declarations. */
function rewriteImports(file: string) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"))
}
