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

/** Calls the product as a program would; tries again while the web process is down, because it is one of those being killed. */
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
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  let body: FormData | string | undefined
  if (input.file) {
    const form = new FormData()
    for (const [key, value] of Object.entries((input.body ?? {}) as Record<string, unknown>))
      form.append(key, typeof value === 'string' ? value : JSON.stringify(value))
    form.append('file', new File([input.file.content], input.file.name, { type: 'text/csv' }))
    body = form
  } else if (input.body !== undefined) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(input.body)
  }
  const answer = await fetch(`${url}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  if (answer.status === 502 || answer.status === 503) throw new TypeError('not ready')
  const parsed = JSON.parse(text) as { success: boolean; message: string; data: Result }
  if (!parsed.success) throw new Error(`${endpoint.route}: ${answer.status} ${parsed.message}`)
  return endpoint.top ? (parsed as unknown as Result) : parsed.data
}
