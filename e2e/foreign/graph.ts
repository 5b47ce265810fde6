import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWebhooks, type Status } from './graph-webhooks.ts'

/** A message received by a phone. */
export type Received = { wamid: string; template: string; parameters: string[]; reference: string }

/** Behaviour of Meta; tests may change it at any time. */
export type GraphPlan = {
  /** The only valid token. Others get code 190. */
  token: string
  /** The token expires after this many accepted messages. */
  expiresAfter: number | undefined
  /** Messages accepted per second; further ones get code 130429. */
  limitPerSecond: number
  /** The HTTP status of a throttled request; Meta's documentation names both. */
  throttleStatus: 400 | 429
  /** Every nth accepted message gets a late response. */
  slow: { every: number; delayMs: number } | undefined
  /** Every nth message is accepted, and the connection closed without a response. */
  dropEvery: number | undefined
  /** Whether a number has WhatsApp. If not, Meta accepts the message and reports 131026. */
  hasWhatsapp(to: string): boolean
}

export type ForeignGraph = {
  port: number
  url: string
  plan: GraphPlan
  /** Received messages by number (digits only). */
  phones: Map<string, Received[]>
  counts: { taken: number; throttled: number; dropped: number; expired: number }
  close(): Promise<void>
}

/** The account, its number and its app, as shown in Meta's own screens. */
export const account = {
  wabaId: '104996122399160',
  phoneNumberId: '106540352242922',
  portfolioId: '506914307656634',
  appId: '670843887433847',
  appSecret: '6c1f0a7e3f2b4d5c8a9b0c1d2e3f4a5b',
}

type Row = Record<string, unknown>
type Answer = { status: number; body: unknown }
type Call = { method: string; path: string; query: URLSearchParams; body: Row }

/**
 * A WhatsApp Cloud API, written from Meta's reference pages. Shares no code with the product or its simulator, so that a
 * misreading in one is not repeated in the other.
 */
export async function startForeignGraph(changes: Partial<GraphPlan> = {}): Promise<ForeignGraph> {
  const plan: GraphPlan = {
    token: 'EAAJBfirst',
    expiresAfter: undefined,
    limitPerSecond: Number.POSITIVE_INFINITY,
    throttleStatus: 400,
    slow: undefined,
    dropEvery: undefined,
    hasWhatsapp: () => true,
    ...changes,
  }
  const webhooks = createWebhooks(account)
  const messaging = createMessaging(plan, webhooks.report)
  const management = createManagement(webhooks.subscribe)

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const call = await readCall(request)
    if (call.path === 'debug_token') return reply(response, describeToken(call, plan))
    if (request.headers.authorization !== `Bearer ${plan.token}`) {
      messaging.counts.expired += 1
      return reply(response, expired)
    }
    if (call.path === `${account.phoneNumberId}/messages`) return messaging.take(call.body, response)
    return reply(response, await management(call))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    plan,
    phones: messaging.phones,
    counts: messaging.counts,
    async close() {
      webhooks.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function createMessaging(plan: GraphPlan, report: (status: Status) => void) {
  const phones = new Map<string, Received[]>()
  const counts = { taken: 0, throttled: 0, dropped: 0, expired: 0 }
  let second = 0
  let inSecond = 0

  function isThrottled(): boolean {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) inSecond = 0
    second = now
    inSecond += 1
    return inSecond > plan.limitPerSecond
  }

  function deliver(body: Row): { to: string; wamid: string } {
    counts.taken += 1
    if (counts.taken === plan.expiresAfter) plan.token = 'EAAJBnobody'
    const to = String(body['to']).replaceAll(/\D/g, '')
    const wamid = `wamid.HBgM${Buffer.from(`${to}.${counts.taken}`).toString('base64')}`
    const reference = String(body['biz_opaque_callback_data'])
    const status = { to, wamid, reference }
    report({ ...status, name: 'sent' })
    if (!plan.hasWhatsapp(to)) {
      report({ ...status, name: 'failed' })
      return { to, wamid }
    }
    const { name, parameters } = readTemplate(body)
    phones.set(to, [...(phones.get(to) ?? []), { wamid, template: name, parameters, reference }])
    // Meta guarantees no order, and repeats some.
    for (const told of ['read', 'delivered', 'delivered'] as const) report({ ...status, name: told })
    return { to, wamid }
  }

  async function take(body: Row, response: ServerResponse) {
    if (isThrottled()) {
      counts.throttled += 1
      return reply(response, fault(plan.throttleStatus, 130429, '(#130429) Rate limit hit'))
    }
    const { to, wamid } = deliver(body)
    if (plan.dropEvery !== undefined && counts.taken % plan.dropEvery === 0) {
      counts.dropped += 1
      return response.destroy()
    }
    if (plan.slow && counts.taken % plan.slow.every === 0) await pause(plan.slow.delayMs)
    return reply(response, {
      status: 200,
      body: {
        messaging_product: 'whatsapp',
        contacts: [{ input: String(body['to']), wa_id: to }],
        messages: [{ id: wamid, message_status: 'accepted' }],
      },
    })
  }

  return { phones, counts, take }
}

type Part = { type: string; parameters?: { text?: string }[] }

function readTemplate(body: Row): { name: string; parameters: string[] } {
  // The format of Meta's page on sending templates.
  const { name, components = [] } = body['template'] as { name: string; components?: Part[] }
  const parts = components.filter(({ type }) => type.toLowerCase() === 'body')
  return { name, parameters: parts.flatMap(({ parameters = [] }) => parameters.map(({ text = '' }) => text)) }
}

/** The calls on the account, its numbers and its templates. */
function createManagement(subscribe: (target: { url: string; verifyToken: string }) => Promise<boolean>) {
  const templates: Row[] = []
  const facts = {
    id: account.wabaId,
    name: 'Foreign Traders',
    currency: 'INR',
    timezone_id: '71',
    account_review_status: 'APPROVED',
    owner_business_info: { id: account.portfolioId, name: 'Foreign Traders Pvt Ltd' },
  }
  const number = {
    id: account.phoneNumberId,
    display_phone_number: '+91 98765 00000',
    verified_name: 'Foreign Traders',
    quality_rating: 'GREEN',
    name_status: 'APPROVED',
    status: 'CONNECTED',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    whatsapp_business_manager_messaging_limit: 'TIER_100K',
    account_mode: 'LIVE',
  }
  const page = (data: unknown[]): Answer => ({
    status: 200,
    body: { data, paging: { cursors: { before: 'MAZDZD', after: 'MjQZD' } } },
  })

  const calls: Record<string, (call: Call) => Promise<Answer> | Answer> = {
    [`GET ${account.wabaId}`]: ({ query }) => ({ status: 200, body: pick(facts, query) }),
    [`GET ${account.wabaId}/phone_numbers`]: ({ query }) => page([pick(number, query)]),
    [`POST ${account.phoneNumberId}/register`]: () => success,
    [`POST ${account.wabaId}/subscribed_apps`]: async ({ body }) => {
      const target = { url: String(body['override_callback_uri']), verifyToken: String(body['verify_token']) }
      return (await subscribe(target))
        ? success
        : fault(400, 2200, '(#2200) Callback verification failed with the following errors: HTTP Status Code = 403')
    },
    [`DELETE ${account.wabaId}/subscribed_apps`]: () => success,
    [`GET ${account.wabaId}/message_templates`]: ({ query }) => page(templates.map((row) => pick(row, query))),
    [`POST ${account.wabaId}/message_templates`]: ({ body }) => {
      const id = String(594_600_000_000_000 + templates.length)
      const kept = { quality_score: { score: 'UNKNOWN' }, rejected_reason: 'NONE', parameter_format: 'POSITIONAL' }
      templates.push({ ...kept, ...body, id, status: 'APPROVED' })
      return { status: 200, body: { id, status: 'APPROVED', category: body['category'] } }
    },
  }
  return async (call: Call): Promise<Answer> => {
    const found = calls[`${call.method} ${call.path}`]
    if (found) return found(call)
    return fault(
      400,
      100,
      `Unsupported ${call.method.toLowerCase()} request. Object with ID '${call.path}' does not exist`,
    )
  }
}

/** Graph returns the requested fields and the id. */
function pick(row: Row, query: URLSearchParams): Row {
  const names = (query.get('fields') ?? '').split(',').map((name) => name.replace(/\{.*/, ''))
  return Object.fromEntries(Object.entries(row).filter(([name]) => name === 'id' || names.includes(name)))
}

function describeToken({ query }: Call, plan: GraphPlan): Answer {
  const isValid = query.get('input_token') === plan.token
  const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging', 'public_profile']
  const error = { code: 190, message: 'Error validating access token: Session has expired', subcode: 463 }
  const data = { app_id: account.appId, type: 'SYSTEM_USER', is_valid: isValid, expires_at: 0, scopes }
  return { status: 200, body: { data: isValid ? data : { ...data, error } } }
}

const success: Answer = { status: 200, body: { success: true } }
const expired = fault(401, 190, 'Error validating access token: Session has expired on Sunday, 22-Nov-26')

function fault(status: number, code: number, message: string): Answer {
  return { status, body: { error: { message, type: 'OAuthException', code, fbtrace_id: 'AzJ8kQm1c2d' } } }
}

function reply(response: ServerResponse, { status, body }: Answer) {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
  response.end(JSON.stringify(body))
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  // A request without an encoding yields buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://graph')
  return {
    method: request.method ?? 'GET',
    path: pathname.replace(/^\/v\d+\.\d+\//, ''),
    query: searchParams,
    body: text === '' ? {} : (JSON.parse(text) as Row),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
