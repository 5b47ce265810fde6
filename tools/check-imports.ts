/** Checks the rules of ARCHITECTURE.md: imports, owners of tables, no provider call inside a transaction. */
import { endpoints } from '@carillon/contract'
import { findCycles } from './checks/cycles.ts'
import { importRules } from './checks/import-rules.ts'
import { findCallsInTransactions, findUnmarkedEndpoints, findUnmarkedJobs } from './checks/provider-calls.ts'
import { readSources } from './checks/sources.ts'
import { findForeignWrites } from './checks/table-owners.ts'

const sources = readSources()
const ours = sources.flatMap(({ path, imports }) =>
  imports.flatMap(({ target }) => (target ? [{ from: path, to: target }] : [])),
)
const broken = ours.flatMap(({ from, to }) =>
  importRules.flatMap((rule) => rule(from, to) ?? []).map((why) => `${from} imports ${to}: ${why}`),
)

/** The guard against calls into private networks works only if nothing bypasses it. */
const clients = sources.flatMap(({ path, imports }) => {
  const mayCall =
    !path.startsWith('packages/server/src/') ||
    path.startsWith('packages/server/src/egress/') ||
    /\.test\.ts$|\/testing\/|\/test-[\w-]+\.ts$/.test(path)
  const around = mayCall
    ? []
    : imports.filter(({ specifier, isType }) => !isType && /^(?:undici|(?:node:)?https?)$/.test(specifier))
  return around.map(({ specifier }) => `${path} imports ${specifier}: outgoing calls are made in egress/ only`)
})

/** A lazily imported file is loaded after the importing one, so it closes no cycle. */
const graph = new Map(
  sources.map(({ path, imports }) => [path, imports.flatMap(({ target, isLazy }) => (isLazy ? [] : (target ?? [])))]),
)
const cycles = findCycles(graph).map((cycle) => `an import cycle: ${cycle.join(' → ')}`)

const writes = sources.flatMap(({ path, file }) => findForeignWrites({ path, text: file.text }))

const marked = new Set(Object.entries(endpoints).flatMap(([name, entry]) => ('asksProvider' in entry ? [name] : [])))
const calls = [
  ...findCallsInTransactions(sources),
  ...findUnmarkedEndpoints(sources, (endpoint) => marked.has(endpoint)),
  ...findUnmarkedJobs(sources),
]

const problems = [...broken, ...clients, ...cycles, ...writes, ...calls]
for (const problem of problems) console.log(problem)
console.log(`${sources.length} files, ${ours.length} imports among them, ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
