import {
  isArrowFunction,
  isBindingElement,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isParameterDeclaration,
  type Node,
} from 'typescript/unstable/ast'
import { walk, type Source } from './sources.ts'

/**
 * Methods that wait for a provider or a mail server, by name. Opening an account counts too, because its secrets are opened for
 * nothing else.
 */
const waits =
  /(?:^|\.)(?:manage\.\w+|egress\.(?:request|connect)|probe|exchangeCode|accountsOf|sendMail)$|^openAccount$/

/** One call inside a function: whether a transaction is open, and which of our functions it may be. */
type Called = { text: string; line: number; isInTransaction: boolean; target: string }
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

function isChecked(path: string): boolean {
  return /^packages\/server\/src\/(?:http|jobs|modules|wiring)\//.test(path) && !path.endsWith('.test.ts')
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
    collect(statement, false, (node, isInTransaction) => {
      const text = file.text.slice(node.getStart(file), node.getEnd()).replaceAll(/\s+/g, '')
      const line = file.text.slice(0, node.getStart(file)).split('\n').length
      calls.push({ text, line, isInTransaction, target: modules.get(text) ?? keyOf(path, text) })
    })
    found.push({ key: keyOf(path, name ?? ''), path, calls })
  })
  return found
}

/** Function names are unique within a module, so re-exports in index.ts need no resolution. */
function keyOf(path: string, name: string): string {
  return `${/^packages\/server\/src\/(?:modules\/)?[\w-]+/.exec(path)?.[0] ?? path}#${name}`
}

type OnCall = (callee: Node, isInTransaction: boolean) => void

function collect(node: Node, isInTransaction: boolean, onCall: OnCall): void {
  if (isCallExpression(node)) onCall(node.expression, isInTransaction)
  // Callbacks that run after the commit are outside the transaction.
  const isAfter = isCallExpression(node) && isIdentifier(node.expression) && node.expression.text === 'afterCommit'
  const isInside = !isAfter && (isInTransaction || takesTransaction(node))
  node.forEachChild((child) => collect(child, isInside, onCall))
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
