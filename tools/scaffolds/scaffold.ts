/** The files that `npm run new` writes, and the remaining steps in order. */
export type Scaffold = {
  /** New files by path, relative to the root. */
  files: Record<string, string>
  /** Lines to add to an existing file, after the last occurrence of `before`. */
  insertions: { file: string; before: string; text: string }[]
  todo: string[]
}

/** An error that explains how to use the command. */
export class ScaffoldError extends Error {
  override name = 'ScaffoldError'
}

export function requireKebab(name: string | undefined, what: string): string {
  if (!name || !/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(name)) throw new ScaffoldError(`${what} is written like-this`)
  return name
}

/** http-gateway becomes httpGateway. */
export function toCamel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** http-gateway becomes HttpGateway. */
export function toPascal(name: string): string {
  const camel = toCamel(name)
  return camel.charAt(0).toUpperCase() + camel.slice(1)
}

/** http-gateway becomes Http gateway. */
export function toTitle(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
