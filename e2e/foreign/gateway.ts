import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message received by a handset, as parsed from the request. */
type Received = { from: string; text: string; reference: string; messageId: string; at: Date }

type Answer = { status: number; headers?: Record<string, string>; body: string }

/** Behaviour of the gateway; tests may change it at any time. */
export type GatewayPlan = {
  /** Messages accepted per second; further ones get 429. */
  limitPerSecond: number
  /** Counted per calendar second, or over the last second. */
  limitBy: 'clock-second' | 'sliding-second'
  /** The Retry-After of a 429, in seconds; undefined leaves the header out. */
  retryAfterSeconds: number | undefined
  answerDelayMs: number
  /** Every nth accepted message gets a late response. */
  slow: { every: number; delayMs: number } | undefined
  /** Every nth message is accepted, and the connection closed without a response. */
  dropEvery: number | undefined
  /** Every nth request is rejected with 503 and Retry-After. */
  unavailable: { every: number; retryAfterSeconds: number } | undefined
  /** The response to an accepted message. */
  accept(message: { to: string; messageId: string }): Answer
}

export type Gateway = {
  port: number
  url: string
  plan: GatewayPlan
  /** Received messages by number (digits only). */
  handsets: Map<string, Received[]>
  totals(): Totals
  close(): Promise<void>
}

type Totals = { requests: number; taken: number; throttled: number; dropped: number; unavailable: number }

const defaults: GatewayPlan = {
  limitPerSecond: Number.POSITIVE_INFINITY,
  limitBy: 'clock-second',
  retryAfterSeconds: undefined,
  answerDelayMs: 0,
  slow: undefined,
  dropEvery: undefined,
  unavailable: undefined,
  accept: ({ messageId }) => json(202, { id: messageId, status: 'queued' }),
}

/**
 * An SMS gateway over plain HTTP, written from the manuals of such gateways. It shares no code with the product, so that
 * a misreading in one is not repeated in the other. POST JSON or a form, or GET, to any path; fields `to`, `from`,
 * `text` and `ref` under their usual names.
 */
export async function startGateway(plan: Partial<GatewayPlan> = {}): Promise<Gateway> {
  const gateway = createGateway({ ...defaults, ...plan })
  const server = createServer((request, response) => {
    gateway.take(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/send`,
    plan: gateway.plan,
    handsets: gateway.handsets,
    totals: () => ({ ...gateway.totals }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function createGateway(plan: GatewayPlan) {
  const handsets = new Map<string, Received[]>()
  const totals: Totals = { requests: 0, taken: 0, throttled: 0, dropped: 0, unavailable: 0 }
  const meter = createMeter()

  function deliver(fields: Map<string, string>): { to: string; messageId: string } {
    totals.taken += 1
    const messageId = `g${totals.taken}`
    const to = (fields.get('to') ?? '').replaceAll(/\D/g, '')
    const [from = '', text = '', reference = ''] = ['from', 'text', 'ref'].map((name) => fields.get(name))
    handsets.set(to, [...(handsets.get(to) ?? []), { from, text, reference, messageId, at: new Date() }])
    return { to, messageId }
  }

  async function take(request: IncomingMessage, response: ServerResponse) {
    const fields = await readFields(request)
    totals.requests += 1
    const { unavailable, retryAfterSeconds, slow } = plan
    if (unavailable && totals.requests % unavailable.every === 0) {
      totals.unavailable += 1
      return reply(response, {
        status: 503,
        headers: { 'retry-after': String(unavailable.retryAfterSeconds) },
        body: 'Service Unavailable',
      })
    }
    if (!meter.admit(plan)) {
      totals.throttled += 1
      await pause(plan.answerDelayMs)
      if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds)
      return reply(response, json(429, { error: 'throttled', message: 'Too many requests' }))
    }
    const message = deliver(fields)
    if (plan.dropEvery !== undefined && totals.taken % plan.dropEvery === 0) {
      totals.dropped += 1
      return response.destroy()
    }
    await pause(slow && totals.taken % slow.every === 0 ? slow.delayMs : plan.answerDelayMs)
    return reply(response, plan.accept(message))
  }

  return { plan, handsets, totals, take }
}

/** Counts accepted messages only. */
function createMeter() {
  let second = 0
  let inSecond = 0
  const taken: number[] = []

  return {
    admit({ limitPerSecond, limitBy }: GatewayPlan): boolean {
      const now = Date.now()
      if (Math.floor(now / 1000) !== second) {
        second = Math.floor(now / 1000)
        inSecond = 0
      }
      while (taken[0] !== undefined && taken[0] <= now - 1000) taken.shift()
      if ((limitBy === 'clock-second' ? inSecond : taken.length) >= limitPerSecond) return false
      inSecond += 1
      taken.push(now)
      return true
    },
  }
}

function reply(response: ServerResponse, { status, headers = {}, body }: Answer) {
  response.writeHead(status, { 'content-type': 'text/plain', ...headers })
  response.end(body)
}

export function json(status: number, body: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function readFields(request: IncomingMessage): Promise<Map<string, string>> {
  const chunks: Buffer[] = []
  // A request without an encoding yields buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  const { searchParams } = new URL(request.url ?? '/', 'http://gateway')
  const isJson = request.headers['content-type']?.includes('json') ?? false
  const inBody = isJson ? Object.entries(JSON.parse(body) as Record<string, unknown>) : new URLSearchParams(body)
  return new Map([...searchParams, ...inBody].map(([name, value]) => [ourName(name), String(value)]))
}

const names: Record<string, string> = { mobiles: 'to', sender: 'from', body: 'text', message: 'text', reference: 'ref' }

function ourName(name: string): string {
  const lower = name.toLowerCase()
  return names[lower] ?? lower
}

function pause(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
}
