import { createReadStream } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AccountSettings } from './accounts.ts'
import type { FaultPlan } from './faults.ts'
import type { HandsetMessage, Phone } from './handset.ts'
import type { Callbacks } from './http-gateway/callbacks.ts'
import { sendInbound } from './inbound.ts'
import { isScenario, scenarioPlan, scenarios } from './scenarios.ts'
import type { Smsc } from './smsc/smsc.ts'
import type { Simulation } from './simulation.ts'

export type Controls = { simulation: Simulation; smsc: Smsc; callbacks: Callbacks; reset: () => void }

const pageSize = 50
const mostReceived = 5000

/** Control API of the simulator and the page with the phones. */
export async function controlApi(app: FastifyInstance, controls: Controls) {
  phoneRoutes(app, controls)
  settingRoutes(app, controls)
  pageRoutes(app)
  eventRoute(app, controls)
}

function phoneRoutes(app: FastifyInstance, controls: Controls) {
  const { simulation } = controls
  app.get<{ Querystring: { query?: string; page?: string } }>('/api/numbers', async ({ query }) => {
    const page = readCount(query.page, 1)
    const { phones, total } = simulation.handset.listPhones({
      query: query.query ?? '',
      offset: (page - 1) * pageSize,
      limit: pageSize,
    })
    return { numbers: phones.map(presentPhone), total, page, totalPages: Math.ceil(total / pageSize) }
  })

  app.get<{ Params: { number: string }; Querystring: { read?: string } }>(
    '/api/numbers/:number/messages',
    async ({ params, query }, reply) => {
      const phone = simulation.handset.find(params.number)
      if (!phone) return reply.code(404).send({ error: 'No message ever reached this number' })
      if (query.read === '1') simulation.handset.read(params.number)
      return { number: phone.number, received: phone.received, messages: phone.messages.slice(-500) }
    },
  )

  app.post<{ Params: { number: string }; Body: { to?: unknown; text?: unknown; account?: unknown } | null }>(
    '/api/numbers/:number/reply',
    async ({ params, body }, reply) => {
      const { to, text, account } = body ?? {}
      const number = params.number.replace(/\D/g, '')
      if (!number) return reply.code(400).send({ error: 'The number has no digits' })
      if (typeof to !== 'string' || to === '')
        return reply.code(400).send({ error: 'to must name the header or number to answer' })
      if (typeof text !== 'string' || text === '' || text.length > 2000)
        return reply.code(400).send({ error: 'text must have 1 to 2000 characters' })
      return reply
        .code(202)
        .send(sendInbound(controls, { number, to, text, account: typeof account === 'string' ? account : undefined }))
    },
  )

  app.get<{ Querystring: { since?: string; limit?: string } }>('/api/received', async ({ query }) => {
    const since = readCount(query.since, 0)
    const messages = simulation.handset.listReceived({
      since,
      limit: Math.min(readCount(query.limit, 1000), mostReceived),
    })
    return { messages, next: messages.at(-1)?.sequence ?? since }
  })
}

function settingRoutes(app: FastifyInstance, { simulation, smsc, callbacks, reset }: Controls) {
  app.get<{ Querystring: { submitsStartedAfter?: string } }>('/api/stats', async ({ query }) => {
    const after = query.submitsStartedAfter === undefined ? undefined : readInstant(query.submitsStartedAfter)
    return {
      ...simulation.handset.totals(),
      ...simulation.counts,
      ...(after === undefined ? {} : { submitsStartedAfter: simulation.submitsStartedAfter(after) }),
      callbacks: callbacks.counts(),
      binds: smsc.binds(),
      waiting: Object.fromEntries(
        simulation.accounts.list().map((account) => [account.systemId, smsc.waiting(account)]),
      ),
    }
  })
  app.get('/api/duplicates', async () => ({ duplicates: simulation.handset.listDuplicates(1000) }))

  app.get('/api/faults', async () => ({ plan: simulation.plan(), scenarios: Object.keys(scenarios) }))
  app.post<{ Body: (Partial<FaultPlan> & { scenario?: string }) | null }>('/api/faults', async ({ body }, reply) => {
    const { scenario, ...changes } = body ?? {}
    if (scenario !== undefined && !isScenario(scenario))
      return reply.code(400).send({ error: `scenario must be one of ${Object.keys(scenarios).join(', ')}` })
    const unknown = Object.keys(changes).find((name) => !Object.hasOwn(simulation.plan(), name))
    if (unknown !== undefined) return reply.code(400).send({ error: `A plan has no ${unknown}` })
    const before = scenario === undefined ? simulation.plan() : scenarioPlan(scenario, { seed: simulation.plan().seed })
    simulation.setPlan({ ...before, ...changes })
    return { plan: simulation.plan() }
  })

  app.get('/api/accounts', async () => ({
    accounts: simulation.accounts.list().map(({ password: _password, ...account }) => account),
  }))
  app.post<{ Body: AccountSettings | null }>('/api/accounts', async ({ body }, reply) => {
    if (typeof body?.systemId !== 'string' || body.systemId === '')
      return reply.code(400).send({ error: 'systemId is required' })
    const { password: _password, ...account } = simulation.accounts.put(body)
    return { account }
  })

  app.post('/api/reset', async () => {
    reset()
    return { reset: true }
  })
}

const files = {
  '/': ['index.html', 'text/html'],
  '/handset.css': ['handset.css', 'text/css'],
  '/whatsapp.css': ['whatsapp.css', 'text/css'],
  '/rcs.css': ['rcs.css', 'text/css'],
  '/handset.js': ['handset.js', 'text/javascript'],
  '/dom.js': ['dom.js', 'text/javascript'],
  '/sms.js': ['sms.js', 'text/javascript'],
  '/whatsapp.js': ['whatsapp.js', 'text/javascript'],
  '/whatsapp-bubble.js': ['whatsapp-bubble.js', 'text/javascript'],
  '/rcs.js': ['rcs.js', 'text/javascript'],
  '/rcs-bubble.js': ['rcs-bubble.js', 'text/javascript'],
  '/wallpaper.svg': ['wallpaper.svg', 'image/svg+xml'],
  '/phone.svg': ['phone.svg', 'image/svg+xml'],
} as const

/** Images may be loaded from any origin; everything else only from this server. */
const policy =
  "default-src 'self'; img-src 'self' http: https:; media-src 'self' http: https:; base-uri 'none'; frame-ancestors 'none'"

function pageRoutes(app: FastifyInstance) {
  for (const [path, [file, type]] of Object.entries(files))
    app.get(path, async (_request, reply) =>
      reply
        .header('content-security-policy', policy)
        .header('cache-control', 'no-cache')
        .type(`${type}; charset=utf-8`)
        .send(createReadStream(new URL(`page/${file}`, import.meta.url))),
    )
}

const pushIntervalMs = 250

/** Batches changes: a page receives at most four events per second, even during a campaign of a million. */
function eventRoute(app: FastifyInstance, { simulation }: Controls) {
  const readers = new Set<FastifyReply>()
  let news = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function tell() {
    timer = undefined
    const words = `data: ${JSON.stringify({ numbers: [...news].slice(-100), totals: simulation.handset.totals() })}\n\n`
    news = new Set()
    for (const reader of readers) reader.raw.write(words)
  }
  const unsubscribe = simulation.handset.subscribe((message: HandsetMessage) => {
    if (readers.size === 0) return
    if (news.size < 1000) news.add(message.number)
    timer ??= setTimeout(tell, pushIntervalMs)
  })

  app.get('/events', (request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    reply.raw.write('retry: 1000\n\n')
    readers.add(reply)
    request.raw.once('close', () => readers.delete(reply))
  })
  app.addHook('preClose', async () => {
    unsubscribe()
    clearTimeout(timer)
    for (const reader of readers) reader.raw.end()
  })
}

function presentPhone({ number, received, unread, messages }: Phone) {
  return { number, received, unread, last: messages.at(-1) }
}

function readCount(text: string | undefined, otherwise: number): number {
  const count = Number(text ?? otherwise)
  return Number.isSafeInteger(count) && count >= 0 ? Math.max(count, otherwise === 1 ? 1 : 0) : otherwise
}

/** Milliseconds since 1970, or an ISO instant. */
function readInstant(text: string): number {
  const milliseconds = Number(text)
  return Number.isNaN(milliseconds) ? Date.parse(text) : milliseconds
}
