import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import type { AuthenticatedUser } from '@carillon/contract/auth'

export type ClientInput = {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** Sent in the multipart field `file`, along with the body's fields. */
  file?: { name: string; content: string | Buffer<ArrayBuffer>; type?: string }
  idempotencyKey?: string
}

export type Client = { call<Result>(name: EndpointName, input?: ClientInput): Promise<Result> }

/** An API client that signs in and calls by contract name, like a customer's program. */
export async function createClient(url: string, credentials: { username: string; password: string }): Promise<Client> {
  const { token } = await send<AuthenticatedUser>({ url, token: '' }, 'auth.login', { body: credentials })
  return { call: (name, input = {}) => send({ url, token }, name, input) }
}

async function send<Result>(
  { url, token }: { url: string; token: string },
  name: EndpointName,
  input: ClientInput,
): Promise<Result> {
  const endpoint: Endpoint = endpoints[name]
  const [method = 'GET', template = ''] = endpoint.route.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(input.path?.[key] ?? ''))
  const query = new URLSearchParams(input.query)
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  if (input.idempotencyKey) headers['idempotency-key'] = input.idempotencyKey
  const answer = await fetch(`${url}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers,
    ...contentOf(input, headers),
  })
  // Every response is an envelope; `Client` ties its data to the call's name.
  const parsed = (await answer.json()) as { success: boolean; message: string; data: Result }
  if (!parsed.success) throw new Error(`${endpoint.route}: ${answer.status} ${parsed.message}`)
  return endpoint.top ? (parsed as unknown as Result) : parsed.data
}

function contentOf({ body, file }: ClientInput, headers: Record<string, string>): { body?: FormData | string } {
  if (file) {
    const form = new FormData()
    // A form's body is an object of its fields.
    for (const [key, value] of Object.entries((body ?? {}) as Record<string, unknown>))
      form.append(key, typeof value === 'string' ? value : JSON.stringify(value))
    form.append('file', new File([file.content], file.name, { type: file.type ?? 'text/csv' }))
    return { body: form }
  }
  if (body === undefined) return {}
  headers['content-type'] = 'application/json'
  return { body: JSON.stringify(body) }
}
