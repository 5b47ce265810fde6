import { lookup as systemLookup } from 'node:dns'
import { connect as connectPlain, isIP, isIPv6, Socket, type LookupFunction } from 'node:net'
import { connect as connectTls } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { Agent, request, type Dispatcher } from 'undici'

export type EgressRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  timeoutMs: number
  /** Longer responses are cut off with an error. */
  maximumBytes?: number
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
   * Raw connection to any port of a public host. If the address is rejected, the socket ends with an EgressError before any
   * byte is sent.
   */
  connect(destination: EgressDestination): Socket
  /** Closes immediately: pending requests fail. */
  close(): Promise<void>
}

export type EgressPolicy = {
  /** `host:port` pairs allowed although they are not public: the simulator, a gateway in the same network. */
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
      const timeout = AbortSignal.timeout(asked.timeoutMs * 2)
      try {
        const answer = await request(url, {
          dispatcher: isAllowedPrivate(url, policy) ? allowed : open,
          method: asked.method,
          headers: asked.headers ?? {},
          body: asked.body ?? null,
          headersTimeout: asked.timeoutMs,
          bodyTimeout: asked.timeoutMs,
          signal: asked.signal ? AbortSignal.any([asked.signal, timeout]) : timeout,
        })
        const bytes = await readBody(answer.body, asked.maximumBytes ?? defaultMaximumBytes)
        return {
          status: answer.statusCode,
          headers: flatten(answer.headers),
          bytes,
          get body() {
            return bytes.toString('utf8')
          },
        }
      } catch (error) {
        throw asEgressError(error)
      }
    },
    connect: (destination) => openSocket(destination, policy),
    async close() {
      await Promise.all([open.destroy(), allowed.destroy()])
    },
  }
}

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

async function readBody(body: Dispatcher.ResponseData['body'], maximumBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  // A readable stream without an encoding yields buffers.
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > maximumBytes) throw new EgressError('ANSWER_TOO_LARGE', 'The response was too large', true)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
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
