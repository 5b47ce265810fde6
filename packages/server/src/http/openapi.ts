import type { Endpoint } from '@carillon/contract'
import { problemStatus } from '@carillon/contract/errors'
import { z } from 'zod'

type Schema = Record<string, unknown>
type Operation = Record<string, unknown>

export type OpenApi = {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  tags: { name: string }[]
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

/** The contract as an OpenAPI document; nothing in it is written by hand. */
export function describeContract(endpoints: Record<string, Endpoint>, version: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const [method, path] = splitRoute(endpoint)
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeCall(name, endpoint) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Carillon',
      version,
      description:
        'Every call of the product, generated from the contract that also types its server and its browser client.',
    },
    tags: [...new Set(Object.keys(endpoints).map(domainOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token that signing in answers' },
      },
      schemas: { Refusal: refusal },
    },
  }
}

function describeCall(name: string, endpoint: Endpoint): Operation {
  const roles = typeof endpoint.roles === 'string' ? endpoint.roles : endpoint.roles.join(', ')
  return {
    operationId: name,
    tags: [domainOf(name)],
    summary: endpoint.summary,
    description: `Roles: ${roles}.${endpoint.module ? ` Module: ${endpoint.module}.` : ''}`,
    ...(endpoint.roles === 'public' ? {} : { security: [{ session: [] }] }),
    parameters: [...describeParameters('path', endpoint.path), ...describeParameters('query', endpoint.query)],
    ...describeBody(endpoint),
    responses: { 200: describeAnswer(endpoint), default: json('A refusal', { $ref: '#/components/schemas/Refusal' }) },
    'x-roles': endpoint.roles,
    ...(endpoint.module ? { 'x-module': endpoint.module } : {}),
    ...(endpoint.addition ? { 'x-addition': true } : {}),
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
  // A form's schema is an object's, so its properties and required names are what JSON Schema says.
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
  const envelope: Schema = {
    type: 'object',
    required: top ? ['success', 'message'] : ['success', 'message', 'data'],
    properties: { success: { const: true }, message: { type: 'string' }, ...(top ? {} : { data: schema }) },
  }
  return json('Done', top ? { allOf: [envelope, schema] } : envelope)
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

function domainOf(name: string): string {
  return name.split('.')[0] ?? name
}
