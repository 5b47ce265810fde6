/** What one `npm run new` writes, and what is left for a person to do, in order. */
export type Scaffold = {
  /** New files, by their path from the root. */
  files: Record<string, string>
  /** Lines to add to a file that exists: after the last place where `before` stands. */
  insertions: { file: string; before: string; text: string }[]
  todo: string[]
}

/** A refusal that says how the command is meant. */
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
