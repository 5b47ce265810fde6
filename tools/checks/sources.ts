import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isNamedImports,
  isStringLiteral,
  SyntaxKind,
  type ImportDeclaration,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A source file of this repository. Paths are relative to the root. */
export type Source = { path: string; file: SourceFile; imports: Import[] }

/** `target` is a file of this repository, or undefined for packages and Node's modules; type imports have no runtime effect. */
export type Import = {
  specifier: string
  isType: boolean
  /** Loaded when it is needed. */
  isLazy: boolean
  names: string[]
  target: string | undefined
}

/** All files of a TypeScript project except generated ones. */
export function readSources(directory = root): Source[] {
  const api = new API({ cwd: directory })
  try {
    const [project] = api.updateSnapshot({ openProject: 'tsconfig.json' }).getProjects()
    if (!project) throw new Error('tsconfig.json opens no project')
    return project.rootFiles.flatMap((name) => {
      const path = relative(directory, name)
      const file = project.program.getSourceFile(name)
      if (!file || path.endsWith('.gen.ts') || path.endsWith('db/schema.ts')) return []
      return [
        {
          path,
          file,
          imports: findImports(file).map((found) => ({ ...found, target: resolveImport(path, found.specifier) })),
        },
      ]
    })
  } finally {
    api.close()
  }
}

/** Calls `visit` for every node below, parents first. */
export function walk(node: Node, visit: (node: Node) => void) {
  visit(node)
  node.forEachChild((child) => walk(child, visit))
}

/** Imports, re-exports and dynamic imports, including type imports. */
function findImports(file: SourceFile): Omit<Import, 'target'>[] {
  const imports: Omit<Import, 'target'>[] = []
  walk(file, (node) => {
    const named = isImportDeclaration(node) || isExportDeclaration(node) ? node.moduleSpecifier : undefined
    const called =
      isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword ? node.arguments[0] : undefined
    const specifier = named ?? called
    const isType = isImportDeclaration(node) && node.importClause?.phaseModifier === SyntaxKind.TypeKeyword
    if (specifier && isStringLiteral(specifier))
      imports.push({
        specifier: specifier.text,
        isType,
        isLazy: called !== undefined,
        names: isImportDeclaration(node) ? namesOf(node) : [],
      })
  })
  return imports
}

function namesOf({ importClause }: ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings
  return bindings && isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
}

function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  const [, name, rest = 'index'] = /^@carillon\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? []
  if (!name) return undefined
  const file = `packages/${name}/src/${rest}`
  return (
    ['.ts', '.tsx'].map((ending) => `${file}${ending}`).find((path) => existsSync(join(root, path))) ?? `${file}.ts`
  )
}
