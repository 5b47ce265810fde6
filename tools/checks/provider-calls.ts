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
  type Node,
} from 'typescript/unstable/ast'
import { walk, type Source } from './sources.ts'

/**
 * Methods that wait for a provider or a mail server, by name. Opening an account counts too, because its secrets are decrypted
 * only for such a call.
 */
const waits =
  /(?:^|\.)(?:manage\.\w+\??\.\w+|egress\.(?:request|connect)|probe|exchangeCode|accountsOf|sendMail)$|^openAccount$/

/** The context of a call: whether a transaction is open, and in the handler of which endpoint. */
type Place = { isInTransaction: boolean; endpoint?: string }
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
    collect(statement, { isInTransaction: false }, (node, place) => {
      const text = file.text.slice(node.getStart(file), node.getEnd()).replaceAll(/\s+/g, '')
      const line = file.text.slice(0, node.getStart(file)).split('\n').length
      calls.push({ ...place, text, line, target: modules.get(text) ?? keyOf(path, text) })
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
  const isAfter = isCallExpression(node) && isIdentifier(node.expression) && node.expression.text === 'afterCommit'
  const isInTransaction = !isAfter && (place.isInTransaction || takesTransaction(node))
  const endpoint = endpointOf(node) ?? place.endpoint
  node.forEachChild((child) => collect(child, { isInTransaction, ...(endpoint ? { endpoint } : {}) }, onCall))
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
      if (isNamed && inner.name && isIdentifier(inner.name) && inner.name.text === 'db') isLent = true
    })
    return isLent
  })
}
