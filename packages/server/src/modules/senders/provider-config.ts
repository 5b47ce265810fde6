import { z } from 'zod'
import type { Provider } from '../../channels/provider.ts'
import { issueMessage } from '../../lib/issue-message.ts'
import { Problem } from '../../lib/problem.ts'

type Fields = Record<string, unknown>

/** Paths of the fields of a provider's settings that have a mark: 'password', 'auth.token'. */
function markedPaths(provider: Provider<unknown>, mark: 'secret' | 'destination'): string[] {
  const paths: string[] = []
  const visit = (schema: unknown, path: string) => {
    if (!isRecord(schema)) return
    if (schema[mark] === true && path) paths.push(path)
    for (const [name, property] of Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}))
      visit(property, path ? `${path}.${name}` : name)
    for (const shape of shapesOf(schema).slice(1)) visit(shape, path)
  }
  visit(formSchema(provider), '')
  return [...new Set(paths)]
}

/** The settings as JSON Schema, from which the form is built. */
export function formSchema(provider: Provider<unknown>): Record<string, unknown> {
  return { ...z.toJSONSchema(provider.config, { io: 'input', unrepresentable: 'any' }) }
}

/** Drops fields that the provider's schema does not have. Then removes the secrets; empty ones count as omitted. */
export function splitSecrets(
  provider: Provider<unknown>,
  config: Fields,
): { config: Fields; secrets: Record<string, string> } {
  const rest = keepKnown(formSchema(provider), structuredClone(config))
  const secrets: Record<string, string> = {}
  for (const path of markedPaths(provider, 'secret')) {
    const value = removeAt(rest, path.split('.'))
    if (typeof value === 'string' && value !== '') secrets[path] = value
  }
  return { config: rest, secrets }
}

/** The fields that the schema, or a choice of it, has. */
function keepKnown(schema: unknown, fields: Fields): Fields {
  const properties = new Map(
    shapesOf(schema).flatMap((shape) => (isRecord(shape['properties']) ? Object.entries(shape['properties']) : [])),
  )
  if (properties.size === 0) return fields
  const known = Object.entries(fields).filter(([name]) => properties.has(name))
  return Object.fromEntries(known.map(([name, value]) => [name, keepKnownInside(properties.get(name), value)]))
}

function keepKnownInside(schema: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = shapesOf(schema).find((shape) => shape['items'] !== undefined)?.['items']
    return value.map((item) => keepKnownInside(items, item))
  }
  return isRecord(value) ? keepKnown(schema, value) : value
}

/** A schema and the choices of a union. */
function shapesOf(schema: unknown): Fields[] {
  if (!isRecord(schema)) return []
  const choices = [schema['oneOf'], schema['anyOf']].flatMap((shapes) => (Array.isArray(shapes) ? shapes : []))
  return [schema, ...choices.flatMap(shapesOf)]
}

/** Adds the stored secrets to a config. */
export function joinSecrets(config: Fields, secrets: Record<string, string>): Fields {
  const whole = structuredClone(config)
  for (const [path, value] of Object.entries(secrets)) putAt(whole, path.split('.'), value)
  return whole
}

/**
 * Whether the secrets would be sent elsewhere: with a stored password and another host, a user who may not see the password
 * could obtain it.
 */
export function changesDestination(provider: Provider<unknown>, before: Fields, after: Fields): boolean {
  const at = (config: Fields, path: string) =>
    path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), config)
  return markedPaths(provider, 'destination').some((path) => at(before, path) !== at(after, path))
}

/** Validates a whole config by the provider's own schema; errors name their field, under `config`. */
export function parseConfig(provider: Provider<unknown>, config: Fields): unknown {
  const parsed = provider.config.safeParse(config, { error: issueMessage })
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map((issue) => ({
    field: ['config', ...issue.path].join('.'),
    message: issue.message,
  }))
  throw new Problem('bad_request', details[0]?.message ?? 'Check the settings', { details })
}

function removeAt(fields: Fields, [name = '', ...rest]: string[]): unknown {
  const value = fields[name]
  if (rest.length > 0) return isRecord(value) ? removeAt(value, rest) : undefined
  delete fields[name]
  return value
}

function putAt(fields: Fields, [name = '', ...rest]: string[], value: string) {
  if (rest.length === 0) {
    fields[name] = value
    return
  }
  const inner = fields[name]
  // A secret of a variant that is no longer chosen is dropped.
  if (isRecord(inner)) putAt(inner, rest, value)
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
