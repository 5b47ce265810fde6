/** `npm run new -- <kind> <name>`: writes a minimal working version; the compiler shows what is missing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ScaffoldError, type Scaffold } from './scaffolds/scaffold.ts'
import { scaffoldEndpoint, scaffoldModule, scaffoldProvider } from './scaffolds/server.ts'
import { scaffoldFeature } from './scaffolds/web.ts'

const kinds: Record<string, (names: string[]) => Scaffold> = {
  endpoint: scaffoldEndpoint,
  module: scaffoldModule,
  provider: scaffoldProvider,
  feature: scaffoldFeature,
}

const [kind = '', ...names] = process.argv.slice(2)

try {
  const scaffold = kinds[kind]
  if (!scaffold) throw new ScaffoldError(`npm run new -- <${Object.keys(kinds).join('|')}> <name>`)
  write(scaffold(names))
} catch (error) {
  if (!(error instanceof ScaffoldError)) throw error
  console.error(error.message)
  process.exit(1)
}

function write({ files, insertions, todo }: Scaffold) {
  const taken = Object.keys(files).find((file) => existsSync(file))
  if (taken) throw new ScaffoldError(`${taken} exists already`)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`wrote ${file}`)
  }
  for (const insertion of insertions) insert(insertion)
  console.log(['', 'Next:', ...todo.map((step) => `  ${step}`)].join('\n'))
}

function insert({ file, before, text }: Scaffold['insertions'][number]) {
  if (!existsSync(file)) throw new ScaffoldError(`${file} does not exist: npm run new -- module first`)
  const old = readFileSync(file, 'utf8')
  const at = old.lastIndexOf(before)
  if (at < 0) throw new ScaffoldError(`${file} has no table of calls`)
  writeFileSync(file, old.slice(0, at) + text + old.slice(at))
  console.log(`added to ${file}`)
}
