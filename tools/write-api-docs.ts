/**
 * Generates files from the contract and the settings; with --check only reports differences.
 * routes.gen.ts is for the web app, api.md and configuration.md are documentation.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { endpoints } from '@carillon/contract'
import { Settings } from '@carillon/server/config'
import { writeApiPage } from './docs/api-page.ts'
import { writeConfigurationPage } from './docs/configuration-page.ts'
import { writePublicRoutes, writeRoutes } from './docs/routes.ts'

const generated: Record<string, string> = {
  'packages/contract/src/routes.gen.ts': writeRoutes(endpoints),
  'packages/contract/src/public-routes.gen.ts': writePublicRoutes(endpoints),
  'docs/api.md': writeApiPage(endpoints),
  'docs/configuration.md': writeConfigurationPage(Settings),
}

const isCheck = process.argv.includes('--check')
const drifted = Object.entries(generated).filter(([file, text]) => read(file) !== text)

for (const [file, text] of drifted) {
  if (!isCheck) writeFileSync(file, text)
  console.log(isCheck ? `${file} is outdated: run npm run docs` : `wrote ${file}`)
}
process.exit(isCheck && drifted.length > 0 ? 1 : 0)

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
