import { existsSync } from 'node:fs'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import { messages, type Refusal } from '@carillon/contract/errors'
import Fastify, { LogController, type FastifyError, type FastifyInstance, type RouteOptions } from 'fastify'
import { isUnavailable } from '../db/unavailable.ts'
import { badField, Problem } from '../lib/problem.ts'
import type { Logger } from '../lib/logger.ts'
import { newId } from '../lib/ids.ts'
import { networkOf } from '../lib/client-address.ts'
import { addressOf, bearerOf } from './client.ts'
import { noteAnswer } from './answered-calls.ts'
import { answerClientError } from './answer-client-error.ts'
import { answerEarly, isStillReceiving } from './answer-early.ts'
import { findDuplicateKey } from './find-duplicate-key.ts'
import { continueWhenAdmitted } from './expect-continue.ts'
import { setSecurityHeaders } from './security-headers.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyContextConfig {
    /** The policy of the route: the name of a contract call, or one of the few pages without a session. */
    policy?: string
    /** Whether API keys authenticate calls of the route, and so are counted there. */
    takesKeys?: boolean
    /** Whether a JSON body with a key twice is refused. */
    isStrict?: boolean
  }
}

export type HttpOptions = {
  logger: Logger
  /** Built browser files; absent in development, when Vite serves them. */
  webDirectory: string | undefined
  /** Number of proxies in front, or their addresses and networks. */
  trustProxy: false | number | readonly string[]
  requestsPerSecond: number
  /** Whether the token is an API key that was accepted lately. Its calls are limited by key, not by address. */
  isKnownKey?(token: string, ip: string): boolean
}

/** Default for routes outside the contract, which can set their own limit. */
const bodyLimit = 64 * 1024

/** Creates Fastify with the project's defaults: no stack traces in responses, a policy for every route, standard headers on every response. */
export async function createHttpServer({
  logger,
  webDirectory,
  trustProxy,
  requestsPerSecond,
  isKnownKey = () => false,
}: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit,
    // 500 ids in a query (dashboard.statusCounts) take 19 kB; Node's default limit is 16 kB.
    http: { maxHeaderSize: 32 * 1024 },
    trustProxy: parseTrustProxy(trustProxy),
    genReqId: () => newId(),
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    requestTimeout: 300_000,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
  })
  refuseRoutesWithoutPolicy(app)
  parseStrictly(app)
  answerErrors(app, logger)
  setSecurityHeaders(app)
  continueWhenAdmitted(app)
  await app.register(compress, { threshold: 2048 })
  await app.register(rateLimit, {
    keyGenerator: (request) => networkOf(addressOf(request)),
    allowList: (request) => {
      const token = request.routeOptions.config.takesKeys ? bearerOf(request) : undefined
      return token !== undefined && isKnownKey(token, addressOf(request))
    },
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

/** JSON as by default, which refuses `__proto__`; on strict routes also without keys that occur twice. */
function parseStrictly(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, octets, done) => {
    const text = String(octets)
    // Clients often name the type of a body that they do not send.
    if (text === '') return done(null, undefined)
    return parse(request, text, (error, body: unknown) => {
      const key = !error && request.routeOptions.config.isStrict ? findDuplicateKey(text) : undefined
      if (key !== undefined) return done(badField(key, 'The body has this field twice'))
      return done(error, body)
    })
  })
}

/** Fastify trusts no proxy when given a number. A function counts from the connection backwards. */
function parseTrustProxy(setting: HttpOptions['trustProxy']) {
  if (typeof setting === 'number') return (_address: string, hop: number) => hop < setting
  return setting === false ? false : [...setting]
}

/** Throws at startup for a route without policy; plug-ins set the policy of their routes in hooks of their own. */
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

/** Without the database, every call fails: log at most one per second. */
const busyLogEveryMs = 1000

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
    noteAnswer(request, reply, { status: refusal.status, responseBody: refusal.body })
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
 * Serves the browser's files. Other paths that are not calls get the page, which does its own routing. A missing asset, such as
 * one of an earlier release, is a 404, because the page would be executed as the script.
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
