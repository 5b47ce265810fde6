import type { Endpoint } from '@carillon/contract'
import { problemStatus } from '@carillon/contract/errors'
import { z } from 'zod'
import { tags, type Tag } from './openapi-tags.ts'

type Schema = Record<string, unknown>
type Operation = Record<string, unknown>

export type OpenApi = {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Schema
}

const refusal: Schema = {
  type: 'object',
  required: ['success', 'message', 'code'],
  properties: {
    success: { const: false },
    message: { type: 'string' },
    code: { type: 'string', enum: [...Object.keys(problemStatus), 'internal'] },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

/** Generates the OpenAPI document from the contract. */
export function describeContract(endpoints: Record<string, Endpoint>, version: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const [method, path] = splitRoute(endpoint)
    // The server accepts paths with and without a trailing slash; the document lists them without.
    const address = path.replace(/\/$/, '')
    paths[address] = { ...paths[address], [method.toLowerCase()]: describeCall(name, endpoint) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Carillon',
      version,
      description:
        'Every call of the product, generated from the contract that also types its server and its browser client.',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.keys(endpoints).map(domainOf))].map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token returned by the sign-in' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, such as carillon_live_…, with the scope that the call names',
        },
      },
      schemas: { Refusal: refusal },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          `Refusal${status}`,
          json(description, { $ref: '#/components/schemas/Refusal' }),
        ]),
      ),
    },
  }
}

function describeCall(name: string, endpoint: Endpoint): Operation {
  const roles = typeof endpoint.roles === 'string' ? endpoint.roles : endpoint.roles.join(', ')
  const { module, scope } = endpoint
  return {
    operationId: name,
    tags: [domainOf(name)],
    summary: endpoint.summary,
    description: `Roles: ${roles}.${module ? ` Module: ${module}.` : ''}${scope ? ` API key scope: ${scope}.` : ''}`,
    security: describeSecurity(endpoint),
    parameters: [...describeParameters('path', endpoint.path), ...describeParameters('query', endpoint.query)],
    ...describeBody(endpoint),
    responses: { 200: describeAnswer(endpoint), ...describeRefusals(endpoint) },
    'x-roles': endpoint.roles,
    ...(module ? { 'x-module': module } : {}),
    ...(scope ? { 'x-scope': scope } : {}),
    ...(endpoint.addition ? { 'x-addition': true } : {}),
  }
}

/** An empty list: no session. */
function describeSecurity({ roles, scope }: Endpoint): Schema[] {
  if (roles === 'public') return []
  return scope ? [{ session: [] }, { apiKey: [scope] }] : [{ session: [] }]
}

/** All errors have the same shape, for each status. */
const refusals = {
  400: 'A value is missing or wrong; `details` names the fields',
  401: 'No session, or one that has ended; no API key, or one that is not valid',
  403: 'Not allowed by role, module permission, account status or API key',
  404: 'It does not exist, or belongs to another account',
  409: 'Not allowed in its current state',
  413: 'The request is too large',
  422: 'The Idempotency-Key was used for a different request',
  429: 'Too many requests; `Retry-After` says when to retry',
  503: 'Temporarily unavailable; `Retry-After` says when to retry',
  507: 'The disk is full',
} as const

function describeRefusals({ route, roles, path, files }: Endpoint): Record<string, Schema> {
  const isChange = !route.startsWith('GET ')
  const isPublic = roles === 'public'
  const possible: Record<keyof typeof refusals, boolean> = {
    400: true,
    401: true,
    403: true,
    404: path !== undefined || isChange,
    409: isChange,
    413: isChange,
    422: isChange && !isPublic,
    429: true,
    503: true,
    507: files !== undefined,
  }
  return {
    ...Object.fromEntries(
      Object.entries(possible)
        .filter(([, isPossible]) => isPossible)
        .map(([status]) => [status, { $ref: `#/components/responses/Refusal${status}` }]),
    ),
    default: json('Any other error', { $ref: '#/components/schemas/Refusal' }),
  }
}

function describeParameters(place: 'path' | 'query', schema: z.ZodObject | undefined): Schema[] {
  if (!schema) return []
  // An object's schema has these two.
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function describeBody({ body, files }: Endpoint): Operation {
  if (!body && !files) return {}
  const fields = body ? toSchema(body, 'input') : { type: 'object' }
  const content: Schema = files ? { 'multipart/form-data': { schema: addFiles(fields, files) } } : {}
  const isFileNeeded = Object.values(files ?? {}).some(({ optional }) => !optional)
  if (!isFileNeeded) content['application/json'] = { schema: fields }
  return { requestBody: { required: true, content } }
}

function addFiles(fields: Schema, files: NonNullable<Endpoint['files']>): Schema {
  // A form's schema is an object's.
  const properties = fields['properties'] as Schema | undefined
  const required = (fields['required'] as string[] | undefined) ?? []
  const needed = Object.entries(files).flatMap(([name, { optional }]) => (optional ? [] : [name]))
  return {
    ...fields,
    properties: {
      ...properties,
      ...Object.fromEntries(
        Object.keys(files).map((name) => [name, { type: 'string', contentMediaType: 'application/octet-stream' }]),
      ),
    },
    required: [...required, ...needed],
  }
}

function describeAnswer({ data, top }: Endpoint): Schema {
  if (data === 'file') return { description: 'The file', content: { 'application/octet-stream': {} } }
  const schema = toSchema(data, 'output')
  if (top) return json('Done', addEnvelope(schema))
  return json('Done', {
    type: 'object',
    required: ['success', 'message', 'data'],
    properties: { ...envelope, data: schema },
    additionalProperties: false,
  })
}

const envelope: Schema = { success: { const: true }, message: { type: 'string' } }

/** Merges the response's own fields with the envelope's into one object: two closed objects in an `allOf` would reject each other's fields. */
function addEnvelope(schema: Schema): Schema {
  for (const key of ['anyOf', 'oneOf'] as const) {
    // JSON Schema has a list of schemas under both names.
    const branches = schema[key] as Schema[] | undefined
    if (branches) return { ...schema, [key]: branches.map(addEnvelope) }
  }
  // An object's schema has these two.
  const { properties, required = [] } = schema as { properties?: Schema; required?: string[] }
  return { ...schema, properties: { ...envelope, ...properties }, required: ['success', 'message', ...required] }
}

function json(description: string, schema: Schema): Schema {
  return { description, content: { 'application/json': { schema } } }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function splitRoute({ route }: Endpoint): [method: string, path: string] {
  const space = route.indexOf(' ')
  return [route.slice(0, space), route.slice(space + 1)]
}

function domainOf(name: string): Tag {
  // The part of a call's name before its dot is what `Tag` is derived from.
  return name.split('.')[0] as Tag
}
