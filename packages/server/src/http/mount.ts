import { join } from 'node:path'
import { Readable } from 'node:stream'
import { endpoints, type Endpoint, type EndpointName, type Endpoints } from '@carillon/contract'
import { defaultBodyBytes } from '@carillon/contract/endpoint'
import { messages } from '@carillon/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { againOnCollision } from '../db/collisions.ts'
import { asSystem, inScope, readInScope, type Database, type Db, type RunTransaction } from '../db/pool.ts'
import { failPoint } from '../lib/fail-points.ts'
import { Problem } from '../lib/problem.ts'
import { admit, type Admitted, type Intake } from './admit.ts'
import { noteAnswer, watchAnswer, type NoteCall } from './answered-calls.ts'
import { assertKeyAllows, limitCall, refuseKeyInUrl, type CountCall } from './api-key-calls.ts'
import { bearerOf, clientOf, type Client } from './client.ts'
import type { UserActor } from '../actor.ts'
import type { Call, CallWithoutTransaction, FileAnswer, Handler, Handlers, UploadedFile } from './handlers.ts'
import { once, onceWithoutTransaction, type Repeatable } from './idempotency.ts'
import { parseInput } from './parse.ts'
import { asksProvider, type ProviderSlots } from './provider-slots.ts'
import { stopWhenDenied } from './stop-when-denied.ts'
import { readForm, type ReadForm } from './uploads.ts'

export type MountOptions = {
  database: Database
  handlers: Handlers<Endpoints>
  /** The account of a session's token or an API key; undefined if it is unknown, expired or ended. */
  authenticate(token: string, client: Client): Promise<UserActor | undefined>
  countCall: CountCall
  /** Of calls with an API key that the contract marks as logged. */
  noteCall: NoteCall
  /** Directory of uploads during their call. */
  temporaryDirectory: string
  intake: Intake
  providerSlots: ProviderSlots
}

/** Results of the checks made before the body was read. */
const admitted = new WeakMap<FastifyRequest, Admitted>()

/** Mounts every call of the contract: authenticate, role, module, parse, handler, present, envelope. */
export function mountContract(app: FastifyInstance, options: MountOptions) {
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name]
    // A route is always a method, a space and a path.
    const [method, path] = endpoint.route.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { policy: name, takesKeys: endpoint.roles !== 'public', isStrict: path.startsWith('/api/public/') },
      bodyLimit: endpoint.maximumBodyBytes ?? defaultBodyBytes,
      preParsing: async (request, reply) => {
        const actor = await enter({ name, endpoint, request, reply }, options)
        admitted.set(request, await admit({ endpoint, request, reply, actor }, options.intake))
      },
      handler: (request, reply) => answer({ name, endpoint, request, reply }, options),
    })
  }
}

/** After this time in milliseconds, session and rights are checked again. */
const quickBodyMs = 1000

type Exchange = { name: EndpointName; endpoint: Endpoint; request: FastifyRequest; reply: FastifyReply }

async function answer(exchange: Exchange, options: MountOptions) {
  const { request, reply } = exchange
  const admission = admitted.get(request)
  if (!admission) throw new Error('The request was not admitted')
  // The handler continues when the client is gone, and its files stay until it ends.
  reply.raw.off('close', admission.release)
  try {
    const form = await readBody(exchange, options)
    try {
      // A body can take minutes to arrive.
      const isOld = request.isMultipart() || Date.now() - admission.admittedAt > quickBodyMs
      const actor = isOld ? await authorize(exchange, options) : admission.actor
      const input = parseInput(exchange.endpoint, { path: request.params, query: request.query, body: form.body })
      return await send(exchange, options, await perform(exchange, options, { actor, input, files: form.files }))
    } finally {
      await form.discard()
    }
  } finally {
    admission.release()
  }
}

async function send(exchange: Exchange, options: MountOptions, result: unknown) {
  const { endpoint, request, reply } = exchange
  // `Handlers` ties the return value to its entry: a file, or fields that the entry's schema names.
  if (endpoint.data === 'file') {
    const isAllowed = () => isStillAllowed(exchange, options)
    return sendFile(reply, stopWhenDenied(result as FileAnswer, isAllowed))
  }

  const data = endpoint.data.parse(result)
  // Only calls with object data use the top level.
  const body = { success: true, message: 'OK', ...(endpoint.top ? (data as object) : { data }) }
  noteAnswer(request, reply, { status: reply.statusCode, responseBody: body })
  return reply.send(body)
}

async function readBody({ endpoint, request }: Exchange, { temporaryDirectory }: MountOptions): Promise<ReadForm> {
  if (!request.isMultipart()) return { body: request.body, files: {}, discard: async () => undefined }
  if (!endpoint.files) throw new Problem('bad_request', 'This call takes no files: send JSON')
  return readForm(endpoint, request, join(temporaryDirectory, 'uploads'))
}

/** Calls allowed before the temporary password is replaced. */
const beforeFirstPassword: ReadonlySet<EndpointName> = new Set([
  'profile.details',
  'permissions.list',
  'auth.changePassword',
  'auth.logout',
  'brand.current',
  'realtime.ticket',
])

/** Authorizes a request that has arrived; every call by an API key counts, allowed or not. */
async function enter(exchange: Exchange, options: MountOptions): Promise<UserActor | undefined> {
  const { request, reply } = exchange
  refuseKeyInUrl(request)
  const receivedAt = new Date()
  const actor = await identify(exchange, options)
  if (actor?.apiKey) {
    const { apiKey } = actor
    if (exchange.endpoint.isLogged)
      watchAnswer(request, { call: exchange.name, actor: { ...actor, apiKey }, note: options.noteCall, receivedAt })
    limitCall(reply, options.countCall(actor, apiKey, clientOf(request)))
  }
  if (actor) assertAllowed({ ...exchange, actor })
  return actor
}

/** The specification's three checks, in its order; then the module, then restrictions of API keys and of impersonation. */
async function authorize(exchange: Exchange, options: MountOptions): Promise<UserActor | undefined> {
  const actor = await identify(exchange, options)
  if (actor) assertAllowed({ ...exchange, actor })
  return actor
}

async function identify(
  { endpoint, request }: Exchange,
  { authenticate }: MountOptions,
): Promise<UserActor | undefined> {
  if (endpoint.roles === 'public') return undefined
  const token = bearerOf(request)
  if (!token) throw new Problem('no_token', messages.noToken)
  const actor = await authenticate(token, clientOf(request))
  if (!actor) throw new Problem('unauthenticated', messages.notAuthenticated)
  return actor
}

async function isStillAllowed(exchange: Exchange, options: MountOptions): Promise<boolean> {
  try {
    await authorize(exchange, options)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Whether the account and its API key may make the call. */
export function isAllowed(call: Parameters<typeof assertAllowed>[0]): boolean {
  try {
    assertAllowed(call)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

function assertAllowed({ name, endpoint, actor }: Pick<Exchange, 'name' | 'endpoint'> & { actor: UserActor }) {
  const { roles, module, impersonation } = endpoint
  if (actor.apiKey) assertKeyAllows(endpoint, actor.apiKey)
  if (roles !== 'session' && roles !== 'public' && !roles.includes(actor.role))
    throw new Problem('forbidden', messages.notAuthorized)
  if (actor.mustSetPassword && !beforeFirstPassword.has(name))
    throw new Problem('first_login', 'Choose a new password first')
  if (module && !actor.modules.has(module)) throw new Problem('module_forbidden', messages.notAuthorized)
  if (impersonation === false && actor.impersonatedBy)
    throw new Problem('forbidden', 'Not allowed while viewing another account')
}

type Prepared = {
  actor: UserActor | undefined
  input: { path: unknown; query: unknown; body: unknown }
  files: Record<string, UploadedFile>
}

async function perform(
  exchange: Exchange,
  { database, handlers, providerSlots }: MountOptions,
  prepared: Prepared,
): Promise<unknown> {
  const { actor } = prepared
  const system: RunTransaction = (work) => againOnCollision(() => asSystem(database, work))
  const scoped: RunTransaction = actor ? (work) => againOnCollision(() => inScope(database, actor.scope, work)) : system
  const received = { ...prepared, client: clientOf(exchange.request) }
  // The table ties each name to its handler; a loop over the names loses that.
  const handler = handlers[exchange.name] as unknown as Handler<Endpoint>
  const repeatable = findRepeatable(exchange, prepared)
  const noteReplay = () => {
    exchange.reply.header('idempotent-replayed', 'true')
  }
  if (typeof handler !== 'function') {
    // The input was parsed by the entry's own schemas.
    const call = {
      ...received,
      scoped,
      asSystem: system,
      repeatable,
      noteReplay,
    } as unknown as CallWithoutTransaction<Endpoint>
    const work = () => handler.withoutTransaction(call)
    const isRepeatedHere = repeatable && !exchange.endpoint.repeatsTogether
    const run = () => (isRepeatedHere ? onceWithoutTransaction(scoped, { ...repeatable, noteReplay }, work) : work())
    return actor && asksProvider(exchange.endpoint, prepared.input.query)
      ? providerSlots.run(actor.organizationId, run)
      : run()
  }
  const run = actor && exchange.endpoint.route.startsWith('GET ') ? readsOf(database, actor) : scoped
  return inOneTransaction({ run, scoped }, (db, afterCommit) => {
    // As above.
    const call = { ...received, db, afterCommit } as unknown as Call<Endpoint>
    const work = () => handler(call)
    return repeatable ? once(db, { ...repeatable, noteReplay }, work) : work()
  })
}

type Effect = (scoped: RunTransaction) => unknown

/** A call that only reads needs no transaction that lasts longer than a statement. */
function readsOf(database: Database, { scope }: UserActor): RunTransaction {
  return (work) => againOnCollision(() => readInScope(database, scope, work))
}

async function inOneTransaction<Result>(
  { run, scoped }: { run: RunTransaction; scoped: RunTransaction },
  work: (db: Db, afterCommit: (effect: Effect) => void) => Promise<Result>,
): Promise<Result> {
  let effects: Effect[] = []
  const result = await run((db) => {
    // A retried transaction starts without the effects of the previous attempt.
    effects = []
    return work(db, (effect) => effects.push(effect))
  })
  failPoint('call-committed')
  for (const effect of effects) await effect(scoped)
  return result
}

/** The call for `Idempotency-Key`; undefined if a repeat is a new call. */
function findRepeatable(
  { name, endpoint, request }: Exchange,
  { actor, input, files }: Prepared,
): Repeatable | undefined {
  const key = request.headers['idempotency-key']
  if (!actor || request.method === 'GET' || endpoint.data === 'file' || typeof key !== 'string') return undefined
  const answersSecret = endpoint.answersSecret === true
  // A call of a test key is another one than the same call of a live key.
  const endpointName = actor.apiKey?.environment === 'test' ? `test:${name}` : name
  return { actor, endpoint: endpointName, key, request: { ...input, files: digestsOf(files) }, answersSecret }
}

/** Files of a repeat are the same if their bytes are, whatever their names. */
function digestsOf(files: Record<string, UploadedFile>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([field, { sha256 }]) => [field, sha256.toString('hex')]))
}

async function sendFile(reply: FastifyReply, { fileName, contentType, body, isLasting }: FileAnswer) {
  const plain = fileName.replaceAll(/[^\w.-]+/g, '_')
  if (isLasting) reply.header('cache-control', 'public, max-age=31536000, immutable')
  return (
    reply
      .header('content-type', contentType)
      // Prevents content from running, whatever type the browser detects.
      .header('content-security-policy', `default-src 'none'; sandbox`)
      .header(
        'content-disposition',
        `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      )
      .send(body instanceof Readable ? body : Readable.from(body))
  )
}
