import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Provider, ProviderEvent, WebhookRequest, WebhookResult } from '../channels/provider.ts'
import type { Logger } from '../lib/logger.ts'
import { Problem } from '../lib/problem.ts'

/** The account of a callback URL, and which of the provider's lines are its senders. */
export type CallbackTarget = {
  organizationId: string
  accountId: string
  provider: Provider<unknown>
  config: unknown
  lines: { senderId: string; lineId: string | undefined; /** Replies may be charged. */ chargesReplies: boolean }[]
}

export type WebhookOptions = {
  logger: Logger
  /** The public base URL, without a trailing slash. */
  publicUrl(): string
  findTarget(callbackKey: string): Promise<CallbackTarget | undefined>
  /** Resolves once the events are committed. */
  applyEvents(target: CallbackTarget, events: ProviderEvent[]): Promise<void>
  /** Stores the body of a callback that could not be parsed. */
  setAside(target: CallbackTarget, callback: { kind: string; raw: Buffer; error: unknown }): Promise<void>
  /** The provider verified the callback URL. */
  noteHandshake(target: CallbackTarget): Promise<void>
}

const maximumBytes = 4 * 1024 * 1024

/** The callback URL of an account. Its key is unguessable and unique to the account. */
export function callbackUrl(publicUrl: string, callbackKey: string): string {
  return `${publicUrl}/hooks/${callbackKey}`
}

/** Provider callbacks: verified on the raw bytes, answered only after the events are committed. On failure the provider retries. */
export async function mountWebhooks(app: FastifyInstance, options: WebhookOptions) {
  await app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maximumBytes }, (_request, body, done) =>
      done(null, body),
    )
    hooks.route({
      method: ['GET', 'POST'],
      url: '/hooks/:key/:action',
      config: { policy: 'webhook', rateLimit: false },
      bodyLimit: maximumBytes,
      handler: async (request, reply) => {
        // Both are in the route's path.
        const { key, action } = request.params as { key: string; action: string }
        const target = await options.findTarget(key)
        if (!target?.provider.webhook) throw new Problem('not_found', 'No such callback URL')

        const result = await read(target, readRequest(request, action, options.publicUrl()), options)
        if (result.kind === 'refused') {
          options.logger.warn({ providerAccount: target.accountId, status: result.status }, 'a callback was refused')
          return reply.status(result.status).send({ success: false, message: result.message, code: 'forbidden' })
        }
        if (result.events.length > 0) await options.applyEvents(target, result.events)
        else if (request.method === 'GET' || result.isHandshake) await options.noteHandshake(target)
        return reply
          .status(result.reply.status)
          .header('content-type', result.reply.contentType)
          .send(result.reply.body)
      },
    })
  })
}

const taken = { status: 200, contentType: 'text/plain', body: 'OK' }

/** A body that cannot be parsed would fail again on every retry: it is stored for analysis and acknowledged. */
async function read(
  { provider, config, ...target }: CallbackTarget,
  request: WebhookRequest,
  { setAside }: Pick<WebhookOptions, 'setAside'>,
): Promise<WebhookResult> {
  try {
    return provider.webhook?.(request, config) ?? { kind: 'events', events: [], reply: taken }
  } catch (error) {
    await setAside({ provider, config, ...target }, { kind: 'callback', raw: request.rawBody, error })
    return { kind: 'events', events: [], reply: taken }
  }
}

function readRequest(request: FastifyRequest, action: string, publicUrl: string): WebhookRequest {
  return {
    method: request.method,
    action,
    url: `${publicUrl}${request.url}`,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    ),
    query: Object.fromEntries(new URLSearchParams(request.url.split('?')[1] ?? '')),
    rawBody: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
}
