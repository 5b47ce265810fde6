import { lookup as systemLookup } from 'node:dns'
import type { IncomingHttpHeaders } from 'node:http'
import { connect as connectPlain, isIP, isIPv6, Socket, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { Agent, type Dispatcher } from 'undici'

export type EgressRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** A stream needs a header `content-length`. */
  body?: string | Buffer | Readable
  timeoutMs: number
  /** Limit of the whole exchange. Default: twice `timeoutMs`. */
  wholeMs?: number
  /** Longer responses are cut off with an error. */
  maximumBytes?: number
  /** Only the beginning of the response is read, and its rest is dropped without an error. */
  keepBytes?: number
  /** Ends the request before its timeout. */
  signal?: AbortSignal
}

export type EgressAnswer = {
  status: number
  headers: Record<string, string>
  body: string
  /** The raw body, for files. */
  bytes: Buffer
}

/**
 * Why a request got no response. `sent` is false only if not a single byte of the request can have reached the other side,
 * so that it is certainly not accepted.
 */
export class EgressError extends Error {
  override name = 'EgressError'
  readonly code: string
  readonly sent: boolean
  constructor(code: string, message: string, sent: boolean) {
    super(message)
    this.code = code
    this.sent = sent
  }
}

export type EgressDestination = {
  /** Host name or IP address as entered. */
  host: string
  port: number
  tls: boolean
  /** Ignored without TLS. */
  rejectUnauthorized: boolean
}

/** All outgoing connections. Checks every address before connecting; for HTTP also scheme and port. */
export type Egress = {
  request(request: EgressRequest): Promise<EgressAnswer>
  /**
   * Throws an EgressError if requests to the URL would be rejected now: by its scheme, its port or the addresses of its host. Plain http
   * is accepted for allowed private pairs only.
   */
  checkUrl(url: string): Promise<void>
  /**
   * Raw connection to any port of a public host. If the address is rejected, the socket ends with an EgressError before any
   * byte is sent.
   */
  connect(destination: EgressDestination): Socket
  /** Closes immediately: pending requests fail. */
  close(): Promise<void>
}

export type EgressPolicy = {
  /**
   * `host:port` pairs allowed although they are not public: the simulator, a gateway in the same network. Pairs may be added later.
   */
  allowedPrivate: readonly string[]
  /** Ports besides 80 and 443 allowed for public hosts. */
  allowedPorts: readonly number[]
  connections: number
}

/** The same, for one task: its requests end when the signal is aborted. Raw connections are not affected. */
export function endRequestsOn(signal: AbortSignal, egress: Egress): Egress {
  return { ...egress, request: (asked) => egress.request({ ...asked, signal }) }
}

const defaultMaximumBytes = 5 * 1024 * 1024
/** Errors that occur before the request can have been sent. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'EGRESS_REFUSED',
])

export function createEgress(policy: EgressPolicy): Egress {
  const open = createAgent(policy, false)
  const allowed = createAgent(policy, true)

  return {
    async request(asked) {
      const url = checkUrl(asked.url, policy)
      try {
        const { status, headers, bytes } = await exchange(isAllowedPrivate(url, policy) ? allowed : open, url, asked)
        return {
          status,
          headers: flatten(headers),
          bytes,
          get body() {
            return bytes.toString('utf8')
          },
        }
      } catch (error) {
        throw asEgressError(error)
      }
    },
    checkUrl: (text) => checkReachable(text, policy),
    connect: (destination) => openSocket(destination, policy),
    async close() {
      await Promise.all([open.destroy(), allowed.destroy()])
    },
  }
}

type Exchanged = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/**
 * One request and its response. `request` of undici makes a stream of each response and needs an AbortSignal to end it; without
 * both, a short exchange takes less processor time.
 */
function exchange(dispatcher: Dispatcher, url: URL, asked: EgressRequest): Promise<Exchanged> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged>()
  const { method, headers = {}, body = null, timeoutMs, wholeMs = timeoutMs * 2, signal } = asked
  const { maximumBytes = defaultMaximumBytes, keepBytes = Number.POSITIVE_INFINITY } = asked
  const answer: Exchanged = { status: 0, headers: {}, bytes: Buffer.alloc(0) }
  const pieces: Buffer[] = []
  let length = 0
  let hasEnded = false
  let controller: Dispatcher.DispatchController | undefined

  function end(settle: () => void) {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    settle()
  }
  /** A request that waits for its connection has no controller yet, and is ended when it gets one. */
  function cutOff(error: EgressError, settle = () => reject(error)) {
    end(settle)
    controller?.abort(error)
  }
  const succeed = () => resolve({ ...answer, bytes: Buffer.concat(pieces) })
  const onAbort = () => cutOff(aborted('This operation was aborted'))
  const timer = setTimeout(() => cutOff(aborted('The operation was aborted due to timeout')), wholeMs)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()

  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const path = `${url.pathname}${url.search}`
  dispatcher.dispatch(
    { origin: url.origin, path, method, headers, body, ...timeouts },
    {
      onRequestStart(started) {
        controller = started
        if (hasEnded) started.abort(aborted('This operation was aborted'))
      },
      onResponseStart(_, status, received) {
        // Informational ones precede the response.
        if (status >= 200) Object.assign(answer, { status, headers: received })
      },
      onResponseData(_, piece) {
        pieces.push(piece)
        length += piece.length
        if (length > keepBytes)
          cutOff(tooLarge(), () => resolve({ ...answer, bytes: Buffer.concat(pieces).subarray(0, keepBytes) }))
        else if (length > maximumBytes) cutOff(tooLarge())
      },
      onResponseEnd: () => end(succeed),
      onResponseError: (_, error) => end(() => reject(error)),
    },
  )
  return promise
}

const aborted = (message: string) => new EgressError('FAILED', message, true)
const tooLarge = () => new EgressError('ANSWER_TOO_LARGE', 'The response was too large', true)

function openSocket({ host, port, tls, rejectUnauthorized }: EgressDestination, policy: EgressPolicy): Socket {
  const mayBePrivate = policy.allowedPrivate.includes(`${bracketed(host.toLowerCase())}:${port}`)
  // Canonical IP addresses are connected to without a lookup, where names are checked.
  if (!mayBePrivate && isIP(host) > 0 && !isPublic(host)) return new Socket().destroy(refused(notPublic(host)))
  const lookup = mayBePrivate ? {} : { lookup: lookupPublicOnly }
  if (!tls) return connectPlain({ host, port, ...lookup })
  return connectTls({ host, port, rejectUnauthorized, ...lookup, ...(isIP(host) > 0 ? {} : { servername: host }) })
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

function createAgent(policy: EgressPolicy, mayBePrivate: boolean): Agent {
  return new Agent({
    connections: policy.connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    connect: { timeout: 10_000, ...(mayBePrivate ? {} : { lookup: lookupPublicOnly }) },
  })
}

/** Rejects what can be rejected by the URL alone; names are checked when they are resolved. */
function checkUrl(text: string, policy: EgressPolicy): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw refused('This is not a URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('Only http and https URLs can be called')
  if (url.username || url.password) throw refused('A URL must not contain a user name')
  if (!isAllowedPrivate(url, policy)) checkPlace(url, policy)
  return url
}

function checkPlace(url: URL, policy: EgressPolicy) {
  const port = Number(portOf(url))
  if (port !== 80 && port !== 443 && !policy.allowedPorts.includes(port)) throw refused(`Port ${port} cannot be called`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(host) && !isPublic(host)) throw refused(notPublic(host))
}

async function checkReachable(text: string, policy: EgressPolicy): Promise<void> {
  const url = checkUrl(text, policy)
  if (isAllowedPrivate(url, policy)) return
  if (url.protocol !== 'https:') throw refused('Only https URLs can be used here')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) > 0) return
  await new Promise<void>((resolve, reject) => {
    lookupPublicOnly(host, { all: true }, (error) => (error ? reject(asEgressError(error)) : resolve()))
  })
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

function isAllowedPrivate(url: URL, policy: EgressPolicy): boolean {
  return policy.allowedPrivate.includes(`${url.hostname}:${portOf(url)}`)
}

/** Checked at connect time on the addresses actually used, which prevents DNS rebinding. */
const lookupPublicOnly: LookupFunction = (host, options, callback) => {
  systemLookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0)
    const forbidden = addresses.find(({ address }) => !isPublic(address))
    const first = addresses[0]
    if (forbidden || !first) return callback(refused(notPublic(host)), '', 0)
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}

/** Only 2000::/3 of IPv6 is assigned; other ranges embed IPv4 addresses or have special meanings. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

function isPublic(text: string): boolean {
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || (address instanceof ipaddr.IPv6 && address.match(globalIpv6))
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    flat[name] = Array.isArray(value) ? value.join(', ') : (value ?? '')
  }
  return flat
}

function notPublic(host: string): string {
  return `${host} is not a public address; the operator of the server can allow it with EGRESS_ALLOW`
}

function refused(message: string): EgressError {
  return new EgressError('EGRESS_REFUSED', message, false)
}

function asEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  if (error instanceof Error && error.cause instanceof EgressError) return error.cause
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'FAILED'
  const message = error instanceof Error ? error.message : 'The request failed'
  return new EgressError(code, message, !beforeSending.has(code))
}
