/** The code budget: limits on size and complexity, measured. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findChannelNames } from './checks/channel-names.ts'
import { findCasts, findDefaultExports, measureFunctions } from './checks/measure.ts'
import { readSources, root, type Source } from './checks/sources.ts'

/** `--all` shows every offender. */
const shown = process.argv.includes('--all') ? undefined : 20

type Line = { name: string; limit: string; found: string; offenders: string[] }

const sources = readSources().filter(({ path }) => !/^tools\/.*\.mjs$/.test(path))
const product = sources.filter(
  ({ path }) =>
    path.startsWith('packages/') && !/\.test\.tsx?$|\/testing\/|\/testing\.ts$|\/test-[\w-]+\.ts$/.test(path),
)
const lengths = sources.map(({ path, file }) => ({ path, lines: file.text.trimEnd().split('\n').length }))
const functions = product.flatMap(({ path, file }) => measureFunctions(file).map((measured) => ({ ...measured, path })))

/** Names of companies and products. SMPP is not one: customers send by it as well. */
const providerNames = /\b(?:twilio|msg91|kannel|jasmin|infobip|sinch|vonage|gupshup|karix|airtel|jio)\b/i
/** Where these names are allowed, including documentation and demo pages. */
const mayNameProviders =
  /\/(?:channels|simulator|demo|testing)\/|\.test\.tsx?$|\.gallery\.tsx$|^packages\/server\/src\/(?:main|config)\.ts$/

const lines: Line[] = [
  limit('longest file, lines', 400, rank(lengths.map(({ path, lines: found }) => ({ where: path, found })))),
  middle('median file, lines', 80, {
    values: lengths.filter(({ path }) => path.startsWith('packages/')).map(({ lines: found }) => found),
    share: 0.5,
  }),
  limit(
    'longest function, lines',
    80,
    rank(functions.map(({ path, name, lines: found }) => ({ where: `${path} ${name}`, found }))),
  ),
  middle('median function, lines', 15, { values: functions.map(({ lines: found }) => found), share: 0.5 }),
  middle('nine of ten functions, lines', 50, { values: functions.map(({ lines: found }) => found), share: 0.9 }),
  none(
    'any, and casts without a reason',
    product.flatMap(({ path, file }) => findCasts(file).map((where) => `${path}:${where}`)),
  ),
  none(
    'default exports',
    product
      .filter(({ path, file }) => !path.endsWith('.config.ts') && findDefaultExports(file))
      .map(({ path }) => path),
  ),
  none(
    'imports deeper than ../../../',
    sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('../../../../'))
        .map(({ specifier }) => `${path} ${specifier}`),
    ),
  ),
  none('packages reached by path instead of name', sources.flatMap(findPathsIntoPackages)),
  none(
    'provider names outside channels/ and simulator/',
    product.filter(({ path }) => !mayNameProviders.test(path)).flatMap(findProviderNames),
  ),
  none(
    'channel names outside their own folders',
    product.flatMap(({ path, file }) => findChannelNames({ path, text: file.text })),
  ),
]

for (const { name, limit: allowed, found, offenders } of lines) {
  console.log(`${offenders.length === 0 ? 'ok  ' : 'OVER'} ${name}: ${found} (${allowed})`)
  for (const offender of offenders.slice(0, shown)) console.log(`       ${offender}`)
}
process.exit(lines.every(({ offenders }) => offenders.length === 0) ? 0 : 1)

type Measured = { where: string; found: number }

function rank(measured: Measured[]): Measured[] {
  return measured.toSorted((a, b) => b.found - a.found)
}

function limit(name: string, most: number, measured: Measured[]): Line {
  const offenders = measured.filter(({ found }) => found > most).map(({ where, found }) => `${where}: ${found}`)
  return { name, limit: `at most ${most}`, found: String(measured[0]?.found ?? 0), offenders }
}

function middle(name: string, most: number, { values, share }: { values: number[]; share: number }): Line {
  const found = values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0
  return { name, limit: `at most ${most}`, found: String(found), offenders: found > most ? ['too many long ones'] : [] }
}

function none(name: string, offenders: string[]): Line {
  return { name, limit: 'none', found: String(offenders.length), offenders }
}

function findPathsIntoPackages({ path, imports }: Source): string[] {
  const own = /^packages\/[\w-]+\//.exec(path)?.[0]
  if (!own) return []
  return imports
    .filter(({ specifier, target }) => specifier.startsWith('.') && target && !target.startsWith(own))
    .map(({ specifier }) => `${path} ${specifier}`)
}

function findProviderNames({ path }: Source): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return text.split('\n').flatMap((line, index) => {
    const [name] = providerNames.exec(line) ?? []
    return name ? [`${path}:${index + 1} ${name}`] : []
  })
}
