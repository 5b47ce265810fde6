import { createHmac, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FaultPlan } from '../faults.ts'
import { startSimulator, type Simulator } from '../index.ts'
import { demoPartner } from './demo-agent.ts'
import type { Row } from './objects.ts'
import { isRow } from './reading.ts'
import type { RbmSettings } from './settings.ts'
import { managementScope, messagingScope } from './tokens.ts'

export type Push = {
  headers: Record<string, unknown>
  isSigned: boolean
  /** Attributes of the envelope; empty for a bare event. */
  attributes: Row
  envelopeId: unknown
  data: Row
}

export type WebhookOptions = {
  /** The status of the response to the push of this number, from 1. */
  answer?: (count: number) => number
  /** The response to the validation, for a secret. */
  validation?: (secret: string) => string
}

/** A webhook receiver following Google's documentation: answers the validation, verifies signatures over the decoded data, stores all pushes. */
export async function startWebhook({ answer = () => 200, validation = (secret) => secret }: WebhookOptions = {}) {
  const pushes: Push[] = []
  const validations: Row[] = []
  const waiters: (() => void)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body: Row = JSON.parse(Buffer.concat(chunks).toString())
      if (typeof body.secret === 'string') {
        validations.push(body)
        response.writeHead(200).end(validation(body.secret))
        return
      }
      pushes.push(readPush(body, request.headers))
      response.writeHead(answer(pushes.length)).end()
      for (const wake of waiters.splice(0)) wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const events = (type?: string) =>
    pushes
      .map(({ data }) => data)
      .filter(({ eventType }) => eventType !== undefined && (type ?? eventType) === eventType)
  const messages = () => pushes.filter(({ attributes }) => attributes.type === 'message').map(({ data }) => data)
  async function until<Found>(find: () => Found[], count: number): Promise<Found[]> {
    while (find().length < count) await new Promise<void>((resolve) => waiters.push(resolve))
    return find()
  }
  return {
    url: `http://127.0.0.1:${port}/rcs`,
    pushes,
    validations,
    events,
    messages,
    waitForEvents: (type: string, count = 1) => until(() => events(type), count),
    waitForMessages: (count = 1) => until(messages, count),
    waitForPushes: (count: number) => until(() => pushes, count),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function readPush(body: Row, headers: Record<string, unknown>): Push {
  const { message } = body
  if (!isRow(message)) return { headers, isSigned: false, attributes: {}, envelopeId: undefined, data: body }
  const bytes = Buffer.from(String(message.data), 'base64')
  const signature = createHmac('sha512', demoPartner.clientToken).update(bytes).digest('base64')
  return {
    headers,
    isSigned: headers['x-goog-signature'] === signature,
    attributes: isRow(message.attributes) ? message.attributes : {},
    envelopeId: message.messageId,
    data: JSON.parse(bytes.toString()),
  }
}

export type ServiceAccount = { client_email: string; private_key: string; private_key_id: string; token_uri: string }

/** A signed assertion of the service account; `claims` replaces parts of it. */
export function buildAssertion(account: ServiceAccount, claims: Row = {}): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (row: Row) => Buffer.from(JSON.stringify(row)).toString('base64url')
  const head = part({ alg: 'RS256', typ: 'JWT', kid: account.private_key_id })
  const payload = part({
    iss: account.client_email,
    scope: `${messagingScope} ${managementScope}`,
    aud: account.token_uri,
    iat: now,
    exp: now + 3600,
    ...claims,
  })
  const signature = sign('RSA-SHA256', Buffer.from(`${head}.${payload}`), account.private_key)
  return `${head}.${payload}.${signature.toString('base64url')}`
}

export type Answer = { status: number; body: Row }

export async function postAssertion(tokenUri: string, assertion: string): Promise<Answer> {
  const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const answer = await fetch(tokenUri, { method: 'POST', body: new URLSearchParams({ grant_type: grant, assertion }) })
  return { status: answer.status, body: await answer.json() }
}

/** An access token by the flow of a service account. */
export async function takeToken(account: ServiceAccount): Promise<string> {
  const { status, body } = await postAssertion(account.token_uri, buildAssertion(account))
  if (status !== 200) throw new Error(`The token was refused: ${JSON.stringify(body)}`)
  return String(body.access_token)
}

export const person = '919812345678'

export type Partner = Awaited<ReturnType<typeof startPartner>>

/** A simulator with the demo partner: its webhook, its calls, an agent to send from and a recipient. */
export async function startPartner(rbm: Partial<RbmSettings> = {}, faults: Partial<FaultPlan> = {}) {
  const simulator = await startSimulator({ rbm: { gapMs: [0, 1], ...rbm }, faults })
  const webhook = await startWebhook()
  const { control, baseUrl, agentId } = simulator.rbm
  await control.setWebhook({ url: webhook.url })
  const { token } = control.issueToken()
  const call = (path: string, body?: unknown) => callWith(simulator, { token, path, body })
  return {
    simulator,
    control,
    webhook,
    baseUrl,
    agentId,
    /** Generated on first use, which takes a while. */
    get serviceAccount() {
      return control.serviceAccount()
    },
    /** `POST asia/v1/…` with a token. */
    call,
    send: (message: Row, { to = person, id = randomUUID(), from = agentId }: Sending = {}) =>
      call(`POST asia/v1/phones/+${to}/agentMessages?messageId=${id}&agentId=${from}`, {
        messageTrafficType: 'TRANSACTION',
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

type Sending = { to?: string; id?: string; from?: string }

export type Request = { token: string; path: string; body?: unknown }

/** A call such as `GET asia/v1/…` with a token. */
export async function callWith(simulator: Simulator, { token, path, body }: Request): Promise<Answer> {
  const [method = 'GET', url = ''] = path.split(' ')
  const headers: Record<string, string> = { authorization: `Bearer ${token}` }
  const init: RequestInit = { method, headers }
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(body)
  }
  const answer = await fetch(`${simulator.rbm.baseUrl}/${url}`, init)
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
}

export const hello = { contentMessage: { text: 'Hello' } }

export const card = {
  title: 'Diwali sale',
  description: 'From Friday',
  media: { height: 'MEDIUM', contentInfo: { fileUrl: 'https://cdn.acme.example/a.jpg' } },
  suggestions: [{ reply: { text: 'Shop', postbackData: 'shop' } }],
}
