/** The part of JSON Schema that a settings form can be drawn from. */
export type Schema = {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
  title?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: (string | number)[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  minimum?: number
  maximum?: number
  maxLength?: number
  format?: string
  /** Encrypted on the server, never sent back. */
  secret?: boolean
  /** Shown only when somebody opens the further settings. */
  advanced?: boolean
  /** Drawn as a box of several lines. */
  multiline?: boolean
}

/** Reads what the server sent; anything else is an empty form. */
export function readSchema(value: Record<string, unknown>): Schema {
  // Made by our own server from the provider's schema; unknown keywords are simply not drawn.
  return value as Schema
}

const initialisms = /^(?:json|xml|hmac|url)$/

/** A label from a property's name or a choice when it has no title: `systemId` → 'System id', POST and JSON as they are. */
export function labelOf(name: string, { title }: Schema): string {
  if (title) return title
  if (initialisms.test(name) || /^[A-Z]+$/.test(name)) return name.toUpperCase()
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The schemas of a choice: one of several shapes told apart by a constant, such as `{ kind: 'basic', … }`. */
export function choicesOf(
  schema: Schema,
): { key: string; options: { value: string; label: string; schema: Schema }[] } | undefined {
  const shapes = schema.oneOf ?? schema.anyOf
  const first = shapes?.[0]
  const key = Object.entries(first?.properties ?? {}).find(([, property]) => property.const !== undefined)?.[0]
  if (!shapes || !key) return undefined
  const options = shapes.map((shape) => {
    const value = String(shape.properties?.[key]?.const)
    return { value, label: shape.title ?? labelOf(value, {}), schema: shape }
  })
  return { key, options }
}

/** What a form starts with: every default the schema names, all the way down. */
export function defaultsOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  const choices = choicesOf(schema)
  if (choices) return choices.options[0] ? defaultsOf(choices.options[0].schema) : undefined
  if (schema.properties) {
    const entries = Object.entries(schema.properties).map(([name, property]) => [name, defaultsOf(property)] as const)
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
  return schema.type === 'array' ? [] : undefined
}

export type FormValue = Record<string, unknown>

export function asRecord(value: unknown): FormValue {
  // An object that is no list has texts for keys.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FormValue) : {}
}
