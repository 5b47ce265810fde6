import { existsSync } from 'node:fs'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import { messages, type Refusal } from '@carillon/contract/errors'
import Fastify, { LogController, type FastifyError, type FastifyInstance, type RouteOptions } from 'fastify'
import { isUnavailable } from '../db/unavailable.ts'
import { Problem } from '../lib/problem.ts'
import type { Logger } from '../lib/logger.ts'
import { newId } from '../lib/ids.ts'
import { networkOf } from '../lib/client-address.ts'
import { addressOf } from './client.ts'
import { answerClientError } from './answer-client-error.ts'
import { answerEarly, isStillReceiving } from './answer-early.ts'
import { continueWhenAdmitted } from './expect-continue.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    /** What allows the route: a call of the contract by name, or one of the few pages that need no session. */
    policy?: string
  }
}

export type HttpOptions = {
  logger: Logger
  /** Built browser files; absent while developing, when Vite serves them. */
  webDirectory: string | undefined
  /** How many proxies are in front, or their addresses and networks. */
  trustProxy: false | number | readonly string[]
  requestsPerSecond: number
}

/** For routes outside the contract, which declare their own where they need more. */
const bodyLimit = 64 * 1024

/** A Fastify with our habits: no stack leaves the house, every route has a policy, every answer has our headers. */
export async function createHttpServer({
  logger,
  webDirectory,
  trustProxy,
  requestsPerSecond,
}: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit,
    // Five hundred ids in a query (dashboard.statusCounts) take 19 kB; Node stops at 16 by default.
    http: { maxHeaderSize: 32 * 1024 },
    trustProxy: trustOf(trustProxy),
    genReqId: () => newId(),
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    requestTimeout: 300_000,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
  })
  refuseRoutesWithoutPolicy(app)
  answerErrors(app, logger)
  forbidCaching(app)
  continueWhenAdmitted(app)
  await app.register(helmet, helmetOptions)
  await app.register(compress, { threshold: 2048 })
  await app.register(rateLimit, {
    keyGenerator: (request) => networkOf(addressOf(request)),
    max: requestsPerSecond * 10,
    timeWindow: 10_000,
    errorResponseBuilder: (_request, context) =>
      new Problem('too_many_requests', 'Too many requests: try again shortly', {
        retryAfter: Math.ceil(context.ttl / 1000),
      }),
  })
  await app.register(multipart)
  if (webDirectory && existsSync(webDirectory)) await serveWeb(app, webDirectory)
  return app
}

const helmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: [`'none'`],
      scriptSrc: [`'self'`],
      styleSrc: [`'self'`],
      imgSrc: [`'self'`, 'data:', 'blob:'],
      fontSrc: [`'self'`],
      connectSrc: [`'self'`, 'ws:', 'wss:'],
      mediaSrc: [`'self'`, 'data:'],
      manifestSrc: [`'self'`],
      frameAncestors: [`'none'`],
      baseUri: [`'none'`],
      formAction: [`'self'`],
      requireTrustedTypesFor: [`'script'`],
    },
  },
  crossOriginOpenerPolicy: { policy: 'same-origin' as const },
  referrerPolicy: { policy: 'no-referrer' as const },
  strictTransportSecurity: { maxAge: 31_536_000 },
}

/** Fastify trusts nobody when it is given a number. With a function it counts from the connection backwards. */
function trustOf(setting: HttpOptions['trustProxy']) {
  if (typeof setting === 'number') return (_address: string, hop: number) => hop < setting
  return setting === false ? false : [...setting]
}

/** A route that nobody thought about stops the program at start; plug-ins name the policy of the routes they bring in hooks of their own. */
export function refuseRoutesWithoutPolicy(app: FastifyInstance) {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  app.addHook('onReady', async () => {
    const forgotten = routes.find(({ config, method }) => !config?.policy && method !== 'HEAD' && method !== 'OPTIONS')
    if (forgotten) throw new Error(`${String(forgotten.method)} ${forgotten.url} has no policy`)
  })
}

/** While the database is away every call fails alike: one a second is enough in the log. */
const busyLogEveryMs = 1000

/** Answers of the API are for one session only. */
function forbidCaching(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
}

function answerErrors(app: FastifyInstance, logger: Logger) {
  let busyLoggedAt = -busyLogEveryMs
  const mayLogBusy = () => {
    const now = performance.now()
    if (now - busyLoggedAt < busyLogEveryMs) return false
    busyLoggedAt = now
    return true
  }
  app.setErrorHandler((thrown: FastifyError | Problem, request, reply) => {
    const isBusy = isUnavailable(thrown)
    const error = isBusy ? busy(thrown) : thrown
    const refusal = refuse(error)
    if (refusal.status >= 500 && (!isBusy || mayLogBusy()))
      logger.error({ err: error, request: request.id, route: request.routeOptions.config.policy }, 'a call failed')
    if (error instanceof Problem && error.retryAfter !== undefined)
      reply.header('retry-after', String(error.retryAfter))
    if (isStillReceiving(request)) return answerEarly(request, reply, refusal)
    return reply.status(refusal.status).send(refusal.body)
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send({ success: false, message: 'No such endpoint', code: 'not_found' } satisfies Refusal),
  )
}

function busy(cause: Error): Problem {
  const problem = new Problem('unavailable', 'The service is busy: try again shortly', { retryAfter: 2 })
  problem.cause = cause
  return problem
}

function refuse(error: FastifyError | Problem): { status: number; body: Refusal } {
  if (error instanceof Problem) {
    return {
      status: error.status,
      body: {
        success: false,
        message: error.message,
        code: error.code,
        ...(error.details ? { details: error.details } : {}),
      },
    }
  }
  const status = error.statusCode ?? 500
  if (status === 413)
    return { status, body: { success: false, message: 'The request is too large', code: 'too_large' } }
  if (status >= 400 && status < 500)
    return { status, body: { success: false, message: error.message, code: 'bad_request' } }
  return { status: 500, body: { success: false, message: messages.unexpected, code: 'internal' } }
}

/**
 * The browser's files; every address that is neither a call nor a file gets the one page that routes by itself. A file that
 * is gone since the last release is said to be gone: the page would be taken for the script that was asked for.
 */
async function serveWeb(app: FastifyInstance, directory: string) {
  await app.register(async (web) => {
    web.addHook('onRoute', (route) => {
      route.config = { ...route.config, policy: 'web' }
    })
    await web.register(fastifyStatic, {
      root: directory,
      wildcard: false,
      cacheControl: false,
      preCompressed: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    web.get('/*', { config: { policy: 'web' } }, async (request, reply) => {
      if (request.url.startsWith('/api/'))
        return reply
          .status(404)
          .send({ success: false, message: 'No such endpoint', code: 'not_found' } satisfies Refusal)
      if (request.url.startsWith('/assets/'))
        return reply
          .status(404)
          .header('cache-control', 'no-store')
          .send({ success: false, message: 'There is no such file', code: 'not_found' } satisfies Refusal)
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    })
  })
}
