import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSimulator, type Simulator } from '../index.ts'
import { demoAccount } from './demo-account.ts'
import type { Row } from './objects.ts'
import type { GraphSettings } from './settings.ts'

export type Post = { raw: string; isSigned: boolean; body: { object: string; entry: Entry[] } }
type Entry = { id: string; time: number; changes: { field: string; value: Row }[] }

/** A webhook receiver following Meta's documentation: verifies the handshake and signatures over the raw bytes, stores all posts. */
export async function startWebhook(answer: (count: number) => number = () => 200) {
  const posts: Post[] = []
  const handshakes: URLSearchParams[] = []
  const waiters: (() => void)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'GET') {
        const { searchParams } = new URL(request.url ?? '/', 'http://webhook')
        handshakes.push(searchParams)
        const isOurs = searchParams.get('hub.verify_token') === demoAccount.verifyToken
        response.writeHead(isOurs ? 200 : 403).end(isOurs ? searchParams.get('hub.challenge') : 'no')
        return
      }
      const bytes = Buffer.concat(chunks)
      const signature = `sha256=${createHmac('sha256', demoAccount.appSecret).update(bytes).digest('hex')}`
      const raw = bytes.toString('latin1')
      const isSigned = request.headers['x-hub-signature-256'] === signature
      posts.push({ raw, isSigned, body: JSON.parse(raw) })
      response.writeHead(answer(posts.length)).end()
      for (const wake of waiters.splice(0)) wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const changes = (field = 'messages') =>
    posts
      .flatMap(({ body }) => body.entry)
      .flatMap((entry) => entry.changes)
      .filter((change) => change.field === field)
      .map(({ value }) => value)
  // The tests know which lists a field has.
  const listed = (list: string) => changes().flatMap((value) => (value[list] ?? []) as Row[])
  async function until<Found>(find: () => Found[], count: number): Promise<Found[]> {
    while (find().length < count) await new Promise<void>((resolve) => waiters.push(resolve))
    return find()
  }
  return {
    url: `http://127.0.0.1:${port}/hook`,
    posts,
    handshakes,
    changes,
    statuses: () => listed('statuses'),
    messages: () => listed('messages'),
    waitForStatuses: (count: number) => until(() => listed('statuses'), count),
    waitForMessages: (count: number) => until(() => listed('messages'), count),
    waitForChanges: (field: string, count: number) => until(() => changes(field), count),
    waitForPosts: (count: number) => until(() => posts, count),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type Answer = { status: number; body: Row }

/** Calls of the Graph API with the initial token. */
export function graphClient(simulator: Simulator, { token = demoAccount.token, version = 'v25.0' } = {}) {
  return async (call: string, body?: unknown): Promise<Answer> => {
    const [method = 'GET', path = ''] = call.split(' ')
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    const init: RequestInit = { method, headers }
    if (body !== undefined) {
      headers['content-type'] = 'application/json'
      init.body = JSON.stringify(body)
    }
    const answer = await fetch(`${simulator.graph.baseUrl}/${version}/${path}`, init)
    return { status: answer.status, body: await answer.json() }
  }
}

export const person = '919812345678'
export const helloWorld = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } }

/** The id of the message that a response refers to. */
export const messageIdOf = (answer: Answer) => (answer.body.messages as { id: string }[])[0]?.id ?? ''

export type Business = Awaited<ReturnType<typeof startBusiness>>

/** A simulated Meta with a business: its webhook, its calls, a first number to send from and a recipient. */
export async function startBusiness(graph: Partial<GraphSettings> = {}) {
  const simulator = await startSimulator({ graph })
  const webhook = await startWebhook()
  const { control } = simulator.graph
  await control.setWebhook({ url: webhook.url })
  const call = graphClient(simulator)
  return {
    simulator,
    control,
    webhook,
    call,
    send: (message: Row, to = person) =>
      call(`POST ${demoAccount.phoneNumberIds[0]}/messages`, {
        messaging_product: 'whatsapp',
        to: `+${to}`,
        ...message,
      }),
    received: (number = person) =>
      simulator.handset.find(number)?.messages.filter(({ direction }) => direction === 'received') ?? [],
    async close() {
      await simulator.close()
      await webhook.close()
    },
  }
}
