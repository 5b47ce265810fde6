import type { Endpoint } from '@carillon/contract'
import { ApiScope, apiScopeLabels } from '@carillon/contract/api-scopes'
import { z } from 'zod'

const opening = `# Calls

Generated from the contract by \`npm run docs\`. The same table types the server's handlers and the browser's client; a running server shows it
as a live page at \`/api/docs\`.

- Every call but the public ones takes \`Authorization: Bearer <token>\`. The token is that of a session or, where a call names a scope, an API key
  with this scope.
- A success is \`{success, message, data}\`; where a call says *at the top*, the fields of \`data\` stand beside \`success\` instead.
- A refusal is \`{success: false, message, code, details?}\`. 401 without a session, 403 without the role or the module, 404 for what is absent and
  for what is somebody else's alike, 409 for a state that forbids it.
  [errors.md](errors.md) explains every code.
- A repeated \`POST\` with the same \`Idempotency-Key\` header is answered as the first one was.
- A response to a call with an API key has \`RateLimit-Policy\`, such as \`"key";q=1000;w=1\` (1,000 calls at once, as many again after a second), and
  \`RateLimit\`, such as \`"key";r=997;t=1\` (997 left, all of them in a second). 429 has \`Retry-After\` in seconds.

| Scope of an API key | Allows to |
|---|---|
${ApiScope.options.map((scope) => `| \`${scope}\` | ${apiScopeLabels[scope]} |`).join('\n')}
`

/** One section per domain, one entry per call. */
export function writeApiPage(endpoints: Record<string, Endpoint>): string {
  const domains = Map.groupBy(Object.entries(endpoints), ([name]) => name.split('.')[0] ?? name)
  const sections = [...domains].map(
    ([domain, calls]) => `## ${domain}\n\n${calls.map(([name, call]) => describeCall(name, call)).join('\n')}`,
  )
  return `${opening}\n${sections.join('\n')}`
}

function describeCall(name: string, endpoint: Endpoint): string {
  const roles = typeof endpoint.roles === 'string' ? describeOpen(endpoint.roles) : endpoint.roles.join(', ')
  const lines = [
    `### ${name}`,
    '',
    `\`${endpoint.route}\`${endpoint.addition ? ' (an addition of ours)' : ''}`,
    '',
    `${endpoint.summary}.`,
    '',
    `- Roles: ${roles}${endpoint.module ? `; module \`${endpoint.module}\`` : ''}`,
    ...(endpoint.scope ? [`- API key scope: \`${endpoint.scope}\``] : []),
    ...(endpoint.tool ? [`- Tool of AI agents: \`${endpoint.tool.name}\``] : []),
    ...describeFields('Path', endpoint.path, 'input'),
    ...describeFields('Query', endpoint.query, 'input'),
    ...describeFields(endpoint.files ? 'Form' : 'Body', endpoint.body, 'input'),
    ...Object.entries(endpoint.files ?? {}).map(
      ([field, { maximumBytes, optional }]) =>
        `- File \`${field}\`${optional ? ', may be left out' : ''}: at most ${Math.round(maximumBytes / 1024 / 1024)} MB`,
    ),
    ...(endpoint.data === 'file'
      ? ['- Answer: a file']
      : describeFields(endpoint.top ? 'Answer, at the top' : 'Answer', endpoint.data, 'output')),
    '',
  ]
  return lines.join('\n')
}

function describeOpen(roles: 'public' | 'session'): string {
  return roles === 'public' ? 'public, no session needed' : 'any signed-in account'
}

type JsonSchema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  format?: string
}

function describeFields(title: string, schema: z.ZodType | undefined, io: 'input' | 'output'): string[] {
  if (!schema) return []
  // Narrows zod's JSON Schema type to the parts shown on this page.
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  return [`- ${title}: ${describeShape(json, 0)}`.replace(': \n', ':\n').replace('list of \n', 'list of\n')]
}

/** Shows two levels of fields; the API page of a running server shows all. */
function describeShape(schema: JsonSchema, depth: number): string {
  if (schema.anyOf) return schema.anyOf.map((one) => describeShape(one, depth)).join(' or ')
  if (schema.enum)
    return schema.enum.length > 8 && depth > 1
      ? 'one of a set'
      : schema.enum.map((value) => `\`${String(value)}\``).join(' ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.type === 'array') return `list of ${describeShape(schema.items ?? {}, depth)}`
  if (schema.properties) return describeProperties(schema, depth)
  return schema.format ?? (Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything'))
}

function describeProperties({ properties = {}, required = [] }: JsonSchema, depth: number): string {
  const names = Object.entries(properties)
  if (names.length === 0) return 'nothing'
  if (depth > 1) return 'an object'
  const fields = names.map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    return depth === 0 ? `\n  - \`${name}${mark}\` ${describeShape(property, depth + 1)}` : `\`${name}${mark}\``
  })
  return depth === 0 ? fields.join('') : `{${fields.join(', ')}}`
}
