import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import type { Tool as ContractTool } from '@carillon/contract/endpoint'
import type { JSONObject } from '@modelcontextprotocol/server'
import { z } from 'zod'

type Place = 'path' | 'query' | 'body'
type Schema = { properties?: Record<string, JSONObject>; required?: string[] }

/** A call of the contract as AI agents see it: one object of arguments. */
export type Tool = {
  name: string
  title: string
  description: string
  call: EndpointName
  /** The call that only checks the input, and is made by default. */
  dryRun: EndpointName | undefined
  /** Where each argument belongs in the call. */
  places: ReadonlyMap<string, Place>
  inputSchema: {
    type: 'object'
    properties: Record<string, JSONObject>
    required: string[]
    additionalProperties: false
  }
  isRead: boolean
}

/** Arguments that belong to the tool and not to its call. */
const dryRun = {
  type: 'boolean',
  default: true,
  description: 'False: the call takes effect. Otherwise it is only checked.',
}
const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Repeats with the same key have one effect and the same response.',
}

/** The calls that the contract marks as tools. */
export const tools: ReadonlyMap<string, Tool> = new Map(
  (Object.keys(endpoints) as EndpointName[]).flatMap((call): [string, Tool][] => {
    const endpoint: Endpoint = endpoints[call]
    return endpoint.tool ? [[endpoint.tool.name, describeTool(call, endpoint, endpoint.tool)]] : []
  }),
)

function describeTool(
  call: EndpointName,
  endpoint: Endpoint,
  { name, title, description, dryRun: check }: ContractTool,
): Tool {
  const isRead = endpoint.route.startsWith('GET ')
  const inputSchema: Tool['inputSchema'] = { type: 'object', properties: {}, required: [], additionalProperties: false }
  const places = new Map<string, Place>()
  for (const place of ['path', 'query', 'body'] as const) {
    const { properties = {}, required = [] } = schemaOf(endpoint[place])
    for (const [field, schema] of Object.entries(properties)) {
      if (places.has(field)) throw new Error(`The tool ${name} has two arguments ${field}`)
      places.set(field, place)
      inputSchema.properties[field] = schema
    }
    inputSchema.required.push(...required)
  }
  if (check) inputSchema.properties['dryRun'] = dryRun
  if (!isRead) inputSchema.properties['idempotencyKey'] = idempotencyKey
  return {
    name,
    title,
    description,
    call,
    dryRun: check === undefined ? undefined : assertCall(check),
    places,
    inputSchema,
    isRead,
  }
}

function schemaOf(schema: z.ZodType | undefined): Schema {
  // The input of a call is an object.
  return schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema) : {}
}

function assertCall(name: string): EndpointName {
  if (!(name in endpoints)) throw new Error(`${name} is not a call of the contract`)
  // It was just checked.
  return name as EndpointName
}
