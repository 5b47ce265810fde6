import {
  isArrowFunction,
  isAsExpression,
  isExportAssignment,
  isFunctionDeclaration,
  isFunctionExpression,
  isMethodDeclaration,
  isTypeReferenceNode,
  SyntaxKind,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import { walk } from './sources.ts'

export type MeasuredFunction = { name: string; lines: number }

/** Length of every function, without comments, blank lines and JSX. */
export function measureFunctions(file: SourceFile): MeasuredFunction[] {
  const found: MeasuredFunction[] = []
  walk(file, (node) => {
    if (isFunctionDeclaration(node) || isMethodDeclaration(node))
      found.push({ name: textOf(node.name, file), lines: countLines(node, file) })
    else if (isArrowFunction(node) || isFunctionExpression(node)) {
      const lines = countLines(node, file)
      // Callbacks of one or two lines count as expressions.
      if (lines > 3) found.push({ name: `callback at line ${lineOf(node, file)}`, lines })
    }
  })
  return found
}

/** Lines with `any`, or with `as` and no comment that explains it. */
export function findCasts(file: SourceFile): string[] {
  const lines = file.text.split('\n')
  const found = new Set<string>()
  walk(file, (node) => {
    if (node.kind === SyntaxKind.AnyKeyword) found.add(`${lineOf(node, file)} any`)
    // Widening casts are safe; only narrowing needs a reason.
    if (!isAsExpression(node) || isConst(node.type, file) || node.type.kind === SyntaxKind.UnknownKeyword) return
    const line = lineOf(node, file)
    if (!isExplained(lines, line)) found.add(`${line} as ${textOf(node.type, file)}`)
  })
  return [...found]
}

export function findDefaultExports(file: SourceFile): boolean {
  return file.statements.some(
    (statement) => isExportAssignment(statement) || /^export default\b/.test(textOf(statement, file)),
  )
}

/** A comment within the four lines above, or on the line itself: statements and types wrap. */
function isExplained(lines: string[], line: number): boolean {
  return lines.slice(Math.max(0, line - 5), line).some((text) => /^\s*(?:\/\/|\/\*\*|\*)|\/\/ /.test(text))
}

function isConst(type: Node, file: SourceFile): boolean {
  return isTypeReferenceNode(type) && textOf(type, file) === 'const'
}

function countLines(node: Node, file: SourceFile): number {
  const text = file.text.slice(node.getStart(file), node.end)
  return text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*)/.test(line)).length
}

function lineOf(node: Node, file: SourceFile): number {
  return file.text.slice(0, node.getStart(file)).split('\n').length
}

function textOf(node: Node | undefined, file: SourceFile): string {
  return node ? file.text.slice(node.getStart(file), node.end) : '(no name)'
}
