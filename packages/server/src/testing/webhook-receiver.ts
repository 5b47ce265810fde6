import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookDelivery, WebhookEndpoint } from '@carillon/contract/webhook-records'
import { Webhook } from 'standardwebhooks'
import type { Account } from './builders.ts'
import type { CallOptions, TestServer } from './server.ts'

export type ReceivedWebhook = {
  path: string
  headers: IncomingHttpHeaders
  body: string
  id: string
  type: string
  data: Record<string, unknown>
}

/** A customer's server, which keeps what it gets. */
export type Receiver = {
  port: number
  url(path?: string): string
  received: ReceivedWebhook[]
  /** Requests without a response, now and at most. */
  open: { now: number; most: number }
  /** Answers a request; 200 by default. */
  respond: (request: ReceivedWebhook, response: ServerResponse) => void
  /** Ends all connections, and forgets what came. */
  reset(): void
  close(): Promise<void>
}

const accept: Receiver['respond'] = (_, response) => response.end()

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    const { open } = receiver
    open.now += 1
    open.most = Math.max(open.most, open.now)
    response.on('close', () => (open.now -= 1))
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString('utf8')
      const { type, data } = JSON.parse(body) as Pick<ReceivedWebhook, 'type' | 'data'>
      const { url: path = '', headers } = request
      const got = { path, headers, body, id: String(headers['webhook-id']), type, data }
      receiver.received.push(got)
      receiver.respond(got, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    port,
    url: (path = '/hook') => `http://127.0.0.1:${port}${path}`,
    received: [],
    open: { now: 0, most: 0 },
    respond: accept,
    reset() {
      server.closeAllConnections()
      Object.assign(receiver, { received: [], open: { now: 0, most: 0 }, respond: accept })
    },
    close: () => closeServer(server),
  }
  return receiver
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Throws unless the verifier of the standard accepts the request. */
export function verify(secret: string | null, { body, headers }: Pick<ReceivedWebhook, 'body' | 'headers'>): unknown {
  // Each of these headers occurs once, so it is a text.
  return new Webhook(secret ?? '').verify(body, headers as Record<string, string>)
}

export type TestEndpoint = { id: string; secret: string }

/** An endpoint of an account on a receiver, for all types unless others are named. */
export async function createEndpoint(
  server: TestServer,
  as: Account,
  body: Partial<CallOptions<'webhookEndpoints.create'>['body']> & { url: string },
): Promise<TestEndpoint & WebhookEndpoint> {
  const types = ['contact.opted_out', 'contact.opted_in'] as const
  const created = await server.ask('webhookEndpoints.create', { as, body: { types: [...types], ...body } })
  return { ...created, secret: created.secret ?? '' }
}

export type ListQuery = NonNullable<CallOptions<'webhookEndpoints.deliveries'>['query']>

/** The deliveries of an endpoint, newest first. */
export async function deliveriesOf(
  server: TestServer,
  { as, id }: { as: Account; id: string },
  query: ListQuery = {},
): Promise<WebhookDelivery[]> {
  const { deliveries } = await server.ask('webhookEndpoints.deliveries', { as, path: { id }, query })
  return deliveries
}
