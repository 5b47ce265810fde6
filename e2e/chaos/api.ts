import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'

export type Caller = {
  call<Result>(
    name: EndpointName,
    input?: {
      path?: Record<string, string>
      query?: Record<string, string>
      body?: unknown
      file?: { name: string; content: string }
    },
  ): Promise<Result>
}

/** Calls the API; retries while the web process is down, because it is killed too. */
export function createCaller(url: () => string, token: () => string): Caller {
  return {
    async call(name, input = {}) {
      const endpoint: Endpoint = endpoints[name]
      const deadline = Date.now() + 60_000
      for (;;) {
        try {
          return await once(endpoint, { url: url(), token: token(), input })
        } catch (error) {
          if (!(error instanceof TypeError) || Date.now() > deadline) throw error
          await new Promise((resume) => setTimeout(resume, 200))
        }
      }
    },
  }
}

type Request = {
  url: string
  token: string
  input: {
    path?: Record<string, string>
    query?: Record<string, string>
    body?: unknown
    file?: { name: string; content: string }
  }
}

async function once<Result>(endpoint: Endpoint, { url, token, input }: Request): Promise<Result> {
  const [method, template] = endpoint.route.split(' ') as [string, string]
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.path?.[name] ?? ''))
  const query = new URLSearchParams(input.query)
  const payload = payloadOf(input)
  const answer = await fetch(`${url}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...payload.headers },
    ...(payload.body === undefined ? {} : { body: payload.body }),
  })
  const text = await answer.text()
  if (answer.status === 502 || answer.status === 503) throw new TypeError('not ready')
  const parsed = JSON.parse(text) as { success: boolean; message: string; data: Result }
  if (!parsed.success) throw new Error(`${endpoint.route}: ${answer.status} ${parsed.message}`)
  return endpoint.top ? (parsed as unknown as Result) : parsed.data
}

function payloadOf({ body, file }: Request['input']): { headers: Record<string, string>; body?: FormData | string } {
  if (file) {
    const form = new FormData()
    for (const [key, value] of Object.entries((body ?? {}) as Record<string, unknown>))
      form.append(key, typeof value === 'string' ? value : JSON.stringify(value))
    form.append('file', new File([file.content], file.name, { type: 'text/csv' }))
    return { headers: {}, body: form }
  }
  if (body === undefined) return { headers: {} }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
