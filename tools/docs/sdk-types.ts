import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'

const contract = join(import.meta.dirname, '../../packages/contract/src')

/** Names in the SDK where the contract's name without `Public` does not fit. */
const renamed: Record<string, string> = {
  PublicSend: 'NewMessage',
  PublicInbound: 'InboundMessage',
  PublicTemplateRecord: 'Template',
}

/** Schemas that check less than what they take, and the names of the right ones. */
const aliases: Record<string, string> = { UncheckedSend: 'NewMessage' }

export type Io = 'input' | 'output'

type JsonSchema = {
  /** An exported type that stands in place of the schema. */
  typeName?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
}

type Named = { name: string; schema: z.ZodType; comments: ReadonlyMap<string, string> }

/** Prints the contract's schemas as TypeScript, with a type of its own for each exported schema that is used. */
export type TypePrinter = {
  print(schema: z.ZodType, io: Io, indent?: string): string
  /** The declarations of the types that were printed so far. */
  declarations(): string
}

export async function createTypePrinter(): Promise<TypePrinter> {
  const named = await readNamed()
  const used = new Map<string, string | undefined>()

  const print = (schema: z.ZodType, io: Io, indent = '') => {
    const found = named.get(schema)
    return found ? refer(found, io) : printShape(toJson(schema, io), indent)
  }
  const refer = (found: Named, io: Io): string => {
    const shape = (of: Io) => printShape(toJson(found.schema, of), '', found.comments)
    const name =
      io === 'input' && !isNew(found.name) && shape('input') !== shape('output') ? `${found.name}Input` : found.name
    if (!used.has(name)) {
      used.set(name, undefined)
      used.set(name, shape(io))
    }
    return name
  }
  const toJson = (schema: z.ZodType, io: Io): JsonSchema =>
    // Narrows zod's JSON Schema type to what types need.
    z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema, path }) {
        const inner = path.length > 0 ? named.get(zodSchema) : undefined
        if (!inner) return
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
        jsonSchema['typeName'] = refer(inner, io)
      },
    }) as JsonSchema

  return {
    print,
    declarations: () =>
      [...used]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, text]) => `export type ${name} = ${text}\n`)
        .join('\n'),
  }
}

/** Used in requests only. */
const isNew = (name: string) => name.startsWith('New')

/** The exported schemas of the contract that are worth a name. */
async function readNamed(): Promise<ReadonlyMap<z.core.$ZodType, Named>> {
  const named = new Map<z.core.$ZodType, Named>()
  const files = readdirSync(contract).filter((file) => /^[\w-]+\.ts$/.test(file))
  for (const file of files) {
    const path = join(contract, file)
    const source = readFileSync(path, 'utf8')
    const exported = Object.entries((await import(pathToFileURL(path).href)) as Record<string, unknown>)
    for (const [name, schema] of exported) {
      if (!(schema instanceof z.ZodType) || named.has(schema) || basename(file) === 'common.ts') continue
      const comments = readComments(source, name)
      named.set(schema, { name: renamed[name] ?? name.replace(/^Public/, ''), schema, comments })
    }
  }
  for (const [alias, name] of Object.entries(aliases)) named.set(find(named, alias).schema, find(named, name))
  return named
}

function find(named: ReadonlyMap<z.core.$ZodType, Named>, name: string): Named {
  const found = [...named.values()].find((one) => one.name === name)
  if (!found) throw new Error(`The contract exports no ${name}`)
  return found
}

/** The comments on the fields of a schema, which zod does not keep. */
function readComments(source: string, name: string): ReadonlyMap<string, string> {
  const start = source.indexOf(`export const ${name} = `)
  const block = source.slice(start, source.indexOf('\n\n', start))
  const found = block.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(\w+)[:,]/g)
  return new Map(
    [...found].map(([, comment = '', field = '']) => [field, comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim()]),
  )
}

function printShape(schema: JsonSchema, indent: string, comments?: ReadonlyMap<string, string>): string {
  if (schema.typeName) return schema.typeName
  const either = schema.anyOf ?? schema.oneOf
  if (either) return unique(either.map((one) => printShape(one, indent))).join(' | ')
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  if (Array.isArray(schema.type)) return schema.type.map((type) => printShape({ ...schema, type }, indent)).join(' | ')
  if (schema.type === 'array') return `Array<${printShape(schema.items ?? {}, indent)}>`
  if (schema.type === 'object') return printObject(schema, indent, comments)
  return plainTypes[schema.type ?? ''] ?? 'unknown'
}

const plainTypes: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

function printObject(schema: JsonSchema, indent: string, comments?: ReadonlyMap<string, string>): string {
  const fields = Object.entries(schema.properties ?? {})
  const { additionalProperties: more } = schema
  if (fields.length === 0) return typeof more === 'object' ? `Record<string, ${printShape(more, indent)}>` : '{}'
  const inner = `${indent}  `
  const lines = fields.flatMap(([field, property]) => {
    const comment = comments?.get(field)
    const mark = schema.required?.includes(field) ? '' : '?'
    // With exactOptionalPropertyTypes, callers can still pass undefined.
    const line = `${inner}${keyOf(field)}${mark}: ${printShape(property, inner)}${mark ? ' | undefined' : ''}`
    return comment ? [`${inner}/** ${comment} */`, line] : [line]
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function keyOf(field: string): string {
  return /^[A-Za-z_]\w*$/.test(field) ? field : literal(field)
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)]
}
