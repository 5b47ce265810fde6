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
 * Methods that wait for a provider or a mail server, by name. Opening an account counts as well: its secrets are opened for
 * nothing else.
 */
const waits =
  /(?:^|\.)(?:manage\.\w+|egress\.(?:request|connect)|probe|exchangeCode|accountsOf|sendMail)$|^openAccount$/

/** One call inside a function: whether a transaction is open around it, and which function of ours it may be. */
type Called = { text: string; line: number; isInTransaction: boolean; target: string }
type Found = { key: string; path: string; calls: Called[] }

/**
 * Calls to a provider in code that was lent a transaction, by a parameter `db`, directly or through functions that ask one.
 * Functions that are passed as values are not followed.
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

/** Functions that ask a provider, themselves or through others. */
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

/** The named functions at the top of a file; calls outside of them belong to the file. */
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

/** Names are unique among the functions of one module, so that index.ts needs no reading. */
function keyOf(path: string, name: string): string {
  return `${/^packages\/server\/src\/(?:modules\/)?[\w-]+/.exec(path)?.[0] ?? path}#${name}`
}

type OnCall = (callee: Node, isInTransaction: boolean) => void

function collect(node: Node, isInTransaction: boolean, onCall: OnCall): void {
  if (isCallExpression(node)) onCall(node.expression, isInTransaction)
  // What is left for after the commit has no transaction around it.
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
