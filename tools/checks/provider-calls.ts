import {
  isArrowFunction,
  isBindingElement,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isParameterDeclaration,
  isPropertyAssignment,
  isStringLiteral,
  isVariableStatement,
  type Node,
} from 'typescript/unstable/ast'
import { walk, type Source } from './sources.ts'

/**
 * Methods that wait for a provider or a mail server, by name. Opening an account counts too, because its secrets are decrypted
 * only for such a call.
 */
const waits =
  /(?:^|\.)(?:manage\.\w+\??\.\w+|egress\.(?:request|connect)|probe|exchangeCode|accountsOf|openLine|sendMail)$|^openAccount$/

/** The context of a call: whether a transaction is open, and in the handler of which endpoint or job. */
type Place = { isInTransaction: boolean; endpoint?: string; job?: string }
/** One call inside a function, and which of our functions it may be. */
type Called = Place & { text: string; line: number; target: string }
type Found = { key: string; path: string; calls: Called[] }

/**
 * Finds calls to a provider in code that has a transaction (a parameter `db`), directly or through other functions.
 * Functions passed as values are not followed.
 */
export function findCallsInTransactions(sources: readonly Source[]): string[] {
  const functions = sources.filter(({ path }) => isChecked(path)).flatMap(findFunctions)
  const asking = findAsking(functions)
  return functions.flatMap(({ path, calls }) =>
    calls
      .filter(({ text, target, isInTransaction }) => isInTransaction && (waits.test(text) || asking.has(target)))
      .map(({ text, line }) => `${path}:${line} calls ${text} in a transaction: a provider may answer slowly or never`),
  )
}

/** Finds endpoints that call a provider, directly or through other functions, and that the contract does not mark as such. */
export function findUnmarkedEndpoints(sources: readonly Source[], isMarked: (endpoint: string) => boolean): string[] {
  const functions = sources.filter(({ path }) => isChecked(path)).flatMap(findFunctions)
  const asking = findAsking(functions)
  const problems = functions.flatMap(({ path, calls }) =>
    calls
      .filter(
        ({ text, target, endpoint }) => endpoint && !isMarked(endpoint) && (waits.test(text) || asking.has(target)),
      )
      .map(({ text, endpoint }) => `${path}: ${endpoint} calls ${text}, so its endpoint needs asksProvider`),
  )
  return [...new Set(problems)]
}

/** Finds jobs that call a provider or mail server, directly or through other functions, and would take the places of other jobs. */
export function findUnmarkedJobs(sources: readonly Source[]): string[] {
  const checked = sources.filter(({ path }) => isChecked(path))
  const functions = checked.flatMap(findFunctions)
  const asking = findAsking(functions)
  const marked = new Set(checked.flatMap(findWaitingJobs))
  const problems = functions.flatMap(({ path, calls }) =>
    calls
      .filter(({ text, target, job }) => job && !marked.has(job) && (waits.test(text) || asking.has(target)))
      .map(
        ({ text, job }) =>
          `${path}: the job ${nameOf(job)} calls ${text}: define it with defineProviderJob or defineMailJob`,
      ),
  )
  return [...new Set(problems)]
}

const nameOf = (key = '') => key.slice(key.indexOf('#') + 1)

/** Jobs that have places of their own, because they wait. */
function findWaitingJobs({ path, file }: Source): string[] {
  const found: string[] = []
  file.forEachChild((statement) => {
    if (!isVariableStatement(statement)) return
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!isIdentifier(name) || !initializer || !isCallExpression(initializer)) continue
      const { expression } = initializer
      if (isIdentifier(expression) && /^define(?:Provider|Mail)Job$/.test(expression.text))
        found.push(keyOf(path, name.text))
    }
  })
  return found
}

function isChecked(path: string): boolean {
  return (
    /^packages\/server\/src\/(?:http|jobs|modules|wiring|channels\/[\w-]+\/calls)\//.test(path) &&
    !path.endsWith('.test.ts')
  )
}

/** Functions that call a provider, directly or through others. */
function findAsking(functions: readonly Found[]): ReadonlySet<string> {
  const asking = new Set<string>()
  let before = -1
  while (before !== asking.size) {
    before = asking.size
    for (const { key, calls } of functions)
      if (calls.some(({ text, target }) => waits.test(text) || asking.has(target))) asking.add(key)
  }
  return asking
}

/** The named top-level functions of a file; other calls are attributed to the file. */
function findFunctions({ path, file, imports }: Source): Found[] {
  const modules = new Map<string, string>()
  for (const { names, target } of imports) for (const name of names) if (target) modules.set(name, keyOf(target, name))
  const found: Found[] = []
  file.forEachChild((statement) => {
    const name = isFunctionDeclaration(statement) ? statement.name?.text : undefined
    const calls: Called[] = []
    collect(statement, { isInTransaction: false }, (node, { job, ...place }) => {
      const text = file.text.slice(node.getStart(file), node.getEnd()).replaceAll(/\s+/g, '')
      const line = file.text.slice(0, node.getStart(file)).split('\n').length
      const target = modules.get(text) ?? keyOf(path, text)
      calls.push({ ...place, text, line, target, ...(job ? { job: modules.get(job) ?? keyOf(path, job) } : {}) })
    })
    found.push({ key: keyOf(path, name ?? ''), path, calls })
  })
  return found
}

/** Function names are unique within a module and within the calls of a channel, so re-exports in index.ts need no resolution. */
function keyOf(path: string, name: string): string {
  return `${/^packages\/server\/src\/(?:modules\/|channels\/[\w-]+\/(?=calls\/))?[\w-]+/.exec(path)?.[0] ?? path}#${name}`
}

type OnCall = (callee: Node, place: Place) => void

function collect(node: Node, place: Place, onCall: OnCall): void {
  if (isCallExpression(node)) onCall(node.expression, place)
  // Callbacks that run after the commit are outside the transaction.
  const isAfter = isCallTo(node, /^afterCommit$/)
  const isInTransaction =
    !isAfter && (place.isInTransaction || takesTransaction(node) || isCallTo(node, opensTransaction))
  const endpoint = endpointOf(node) ?? place.endpoint
  const job = jobOf(node) ?? place.job
  const inside = { isInTransaction, ...(endpoint ? { endpoint } : {}), ...(job ? { job } : {}) }
  node.forEachChild((child) => collect(child, inside, onCall))
}

/** Functions whose callback runs in a transaction, whatever it calls its parameter. */
const opensTransaction = /^(?:scoped|asSystem|eachAsSystem|inScope|readInScope|transaction)$/

function isCallTo(node: Node, names: RegExp): boolean {
  return isCallExpression(node) && isIdentifier(node.expression) && names.test(node.expression.text)
}

/** Jobs are implemented by `handleJob(job, function)`. */
function jobOf(node: Node): string | undefined {
  if (!isCallExpression(node) || !isCallTo(node, /^handleJob$/)) return undefined
  const [job] = node.arguments
  return job && isIdentifier(job) ? job.text : undefined
}

/** Handlers are properties and methods that are named like their endpoint: 'waTemplates.sync'. */
function endpointOf(node: Node): string | undefined {
  const isMember = isPropertyAssignment(node) || isMethodDeclaration(node)
  return isMember && isStringLiteral(node.name) && node.name.text.includes('.') ? node.name.text : undefined
}

function takesTransaction(node: Node): boolean {
  if (
    !isFunctionDeclaration(node) &&
    !isMethodDeclaration(node) &&
    !isArrowFunction(node) &&
    !isFunctionExpression(node)
  )
    return false
  return node.parameters.some((parameter) => {
    let isLent = false
    walk(parameter, (inner) => {
      const isNamed = isParameterDeclaration(inner) || isBindingElement(inner)
      const names = isNamed ? [inner.name, isBindingElement(inner) ? inner.propertyName : undefined] : []
      if (names.some((name) => name && isIdentifier(name) && name.text === 'db')) isLent = true
    })
    return isLent
  })
}
