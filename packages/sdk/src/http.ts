import { CarillonError, type ErrorDetail } from './carillon-error.ts'

export type CarillonOptions = {
  /** Address of the server, such as `https://messages.example.com`. */
  baseUrl: string
  /** An API key, `carillon_live_…` or `carillon_test_…`. */
  apiKey: string
  /** How often a call is repeated. Default: 3, which is also the maximum. */
  maximumRetries?: number | undefined
  /** Time for each attempt. Default: 30,000. */
  timeoutMs?: number | undefined
  /** Instead of the runtime's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
}

export type CallOptions = {
  signal?: AbortSignal | undefined
  /** Time for each attempt of this call. */
  timeoutMs?: number | undefined
}

export type WriteOptions = CallOptions & {
  /** Repeats with the same key and body have one effect and the same response. Writes are retried only with a key. */
  idempotencyKey?: string | undefined
}

type Request = {
  method: string
  path: string
  body?: unknown
  query?: Query | undefined
  options?: WriteOptions | undefined
  /** Whether the call gets a key of its own if the caller gives none, so that it can be retried. */
  makesKey?: boolean
}

type Query = Record<string, string | number | boolean | undefined>

/** All records of a list, page by page as they are read; or, with `page`, one page. */
export type Pages<Item, Page> = AsyncIterable<Item> & { page(): Promise<Page> }

export type Http = {
  call<Data>(request: Request): Promise<Data>
  /** `list` and `cursor` are fields of the response. */
  pages<Item, Page>(request: Request, list: string, cursor: string): Pages<Item, Page>
}

const mostRetries = 3
const defaultTimeoutMs = 30_000
const firstDelayMs = 500
/** If the server asks for a longer wait, the call fails. */
const longestWaitMs = 60_000

export function createHttp(options: CarillonOptions): Http {
  const settings = readOptions(options)
  const call = <Data>(request: Request) => callWithRetries<Data>(settings, request)
  return {
    call,
    pages: <Item, Page>(request: Request, list: string, cursor: string): Pages<Item, Page> => ({
      page: () => call<Page>(request),
      async *[Symbol.asyncIterator]() {
        let query = request.query
        for (;;) {
          const page = await call<Record<string, unknown>>({ ...request, query })
          // The generated calls name a list and a cursor that the response has.
          yield* page[list] as Item[]
          const next = page[cursor]
          if (typeof next !== 'string') return
          query = { ...query, cursor: next }
        }
      },
    }),
  }
}

/** An id as a part of a path. Others would make it the path of another call. */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`'${id}' is not an id`)
  return encodeURIComponent(id)
}

type Settings = {
  baseUrl: string
  apiKey: string
  maximumRetries: number
  timeoutMs: number
  fetch: typeof globalThis.fetch
}

function readOptions({ baseUrl, apiKey, ...rest }: CarillonOptions): Settings {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError('baseUrl must be a URL such as https://messages.example.com')
  if (!/^[\w-]+$/.test(apiKey)) throw new TypeError('apiKey must be an API key such as carillon_live_…')
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey,
    maximumRetries: Math.min(rest.maximumRetries ?? mostRetries, mostRetries),
    timeoutMs: rest.timeoutMs ?? defaultTimeoutMs,
    // Browsers refuse to run it as a method of another object.
    fetch: rest.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  }
}

async function callWithRetries<Data>(settings: Settings, request: Request): Promise<Data> {
  const key = request.options?.idempotencyKey ?? (request.makesKey ? crypto.randomUUID() : undefined)
  const retries = request.method === 'GET' || key !== undefined ? settings.maximumRetries : 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await callOnce<Data>(settings, request, key)
    } catch (error) {
      const waitMs = error instanceof CarillonError && attempt < retries ? findWait(error, attempt) : undefined
      if (waitMs === undefined) throw error
      await sleep(waitMs, request.options?.signal)
    }
  }
}

const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])
const retriedCodes: ReadonlySet<string> = new Set(['connection_failed', 'timeout'])

/** Milliseconds before the next attempt; undefined if there should be none. */
function findWait({ status, code, retryAfter }: CarillonError, attempt: number): number | undefined {
  if (!retriedStatuses.has(status) && !retriedCodes.has(code)) return undefined
  const askedMs = (retryAfter ?? 0) * 1000
  if (askedMs > longestWaitMs) return undefined
  const delayMs = firstDelayMs * 2 ** attempt
  return askedMs + delayMs * (0.5 + Math.random() / 2)
}

async function callOnce<Data>(settings: Settings, request: Request, key: string | undefined): Promise<Data> {
  const caller = request.options?.signal
  const timeout = AbortSignal.timeout(request.options?.timeoutMs ?? settings.timeoutMs)
  try {
    const response = await settings.fetch(urlOf(settings, request), {
      ...contentOf(settings, request, key),
      signal: caller ? AbortSignal.any([caller, timeout]) : timeout,
      // A redirect would send the key elsewhere.
      redirect: 'error',
    })
    return readResponse<Data>(response, await response.text())
  } catch (error) {
    if (error instanceof CarillonError) throw error
    caller?.throwIfAborted()
    throw timeout.aborted
      ? new CarillonError({ status: 0, code: 'timeout', message: 'The server did not respond in time', cause: error })
      : lostConnection(settings.baseUrl, error)
  }
}

function contentOf({ apiKey }: Settings, { method, body }: Request, key: string | undefined): RequestInit {
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  if (body === undefined) return { method, headers }
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function lostConnection(baseUrl: string, cause: unknown): CarillonError {
  const message = `The connection to ${new URL(baseUrl).host} failed`
  return new CarillonError({ status: 0, code: 'connection_failed', message, cause })
}

function urlOf({ baseUrl }: Settings, { path, query }: Request): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? `${baseUrl}${path}` : `${baseUrl}${path}?${new URLSearchParams(given)}`
}

function readResponse<Data>(response: Response, text: string): Data {
  const body = parse(text)
  // The types of the SDK are generated from what the server answers.
  if (response.ok && body && 'data' in body) return body['data'] as Data
  const requestId = response.headers.get('x-request-id') ?? undefined
  const retryAfter = readRetryAfter(response.headers.get('retry-after'))
  const { status } = response
  const { code, message, details } = body ?? {}
  throw typeof code === 'string' && typeof message === 'string'
    ? new CarillonError({ status, code, message, details: readDetails(details), retryAfter, requestId })
    : new CarillonError({
        status,
        code: 'unreadable_response',
        message: `The response with status ${status} is not one of Carillon: check baseUrl`,
        retryAfter,
        requestId,
      })
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // An object's fields can be read by any name.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function readDetails(details: unknown): ErrorDetail[] | undefined {
  // The server's errors have no other details.
  return Array.isArray(details) ? (details as ErrorDetail[]) : undefined
}

/** Seconds or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000)
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
