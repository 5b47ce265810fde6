import type { EndpointName, Endpoints } from '@carillon/contract'
import type { Arguments, Data, Endpoint } from '@carillon/contract/endpoint'
import { messages, type ProblemDetail } from '@carillon/contract/errors'
import type { Module, Role } from '@carillon/contract/roles'
import { publicRoutes } from '@carillon/contract/public-routes.gen'
import { checkConnection, isConnected, isGateway, noteAnswer } from './connection.ts'
import { announceExpiry, currentUser } from './session.ts'

/** A failed call: rejected by our own checks, by the server, or by the network. */
export class CallError extends Error {
  override name = 'CallError'
  /** HTTP status; 0 if nothing was sent or received. */
  status: number
  code: string
  details: ProblemDetail[]

  constructor({
    message,
    status = 0,
    code,
    details = [],
  }: {
    message: string
    status?: number
    code: string
    details?: ProblemDetail[]
  }) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

type Optional<T> = { [Key in keyof T]: {} extends T[Key] ? Key : never }[keyof T]
type Relaxed<T> = Omit<T, Optional<T>> & Partial<Pick<T, Optional<T>>>
type Files<Entry extends Endpoint> = Entry extends { files: infer Fields }
  ? { files?: { [Key in keyof Fields]?: File | undefined } }
  : unknown

/** Input of a call: the parts its entry has; parts with only optional fields can be omitted. */
export type CallInput<Name extends EndpointName> = Relaxed<Arguments<Endpoints[Name]>> & Files<Endpoints[Name]>
export type CallData<Name extends EndpointName> = Data<Endpoints[Name]>

/** A contract entry without its schemas, for the browser. */
type Route = {
  method: string
  path: string
  roles: readonly Role[] | 'public' | 'session'
  module?: Module
  fallback: string
  required?: Record<string, string>
  top?: true
  multipart?: true
  file?: true
  lists?: readonly string[]
}

/** Those of the pages before sign-in; `addRoutes` adds the others. */
let routes: Partial<Record<EndpointName, Route>> = publicRoutes

/** Called by the shell with every call of the contract. */
export function addRoutes(all: Record<EndpointName, Route>) {
  routes = all
}

function routeOf(name: EndpointName): Route {
  const route = routes[name]
  if (!route) throw new Error(`${name} is called before sign-in`)
  return route
}

type Loose = { path?: object; query?: object; body?: unknown; files?: Record<string, File | undefined> }

type CallOptions = {
  signal?: AbortSignal
  /** The `Idempotency-Key` of a write, which the server executes once. */
  key?: string
  /** Goes on after the page was left. */
  keepalive?: boolean
}

/** Calls the API. Checks run before sending, in this order: signed in, token, role, identifiers. The server repeats them. */
export async function call<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  { key, ...options }: CallOptions = {},
): Promise<CallData<Name>> {
  const route = routeOf(name)
  const loose: Loose = input
  const token = checkCaller(route)
  checkIdentifiers(route, loose)

  const response = await send(route, { loose, token, key, ...options })
  if (response.status === 401 && token) announceExpiry()
  // The table ties each name to its response type; our own server's responses are trusted.
  return (await read(route, response)) as CallData<Name>
}

/** Whether the signed-in role may make a call; screens show an access-denied state instead. */
export function mayCall(name: EndpointName): boolean {
  const { roles } = routeOf(name)
  const user = currentUser()
  if (roles === 'public') return true
  return user !== null && (roles === 'session' || roles.includes(user.type))
}

function checkCaller({ roles }: Route): string | undefined {
  if (roles === 'public') return undefined
  const user = currentUser()
  if (!user) throw new CallError({ message: messages.notAuthenticated, code: 'unauthenticated' })
  if (!user.token) throw new CallError({ message: messages.noToken, code: 'no_token' })
  if (roles !== 'session' && !roles.includes(user.type)) {
    throw new CallError({ message: messages.notAuthorized, code: 'forbidden' })
  }
  return user.token
}

function checkIdentifiers({ required }: Route, { path, query, body }: Loose) {
  const given = new Map(Object.entries({ ...path, ...query, ...(isRecord(body) ? body : {}) }))
  const places = new Set([...Object.keys(path ?? {}), ...Object.keys(query ?? {})])
  for (const [field, message] of Object.entries(required ?? {})) {
    if (!places.has(field)) continue
    const value = given.get(field)
    if (value === undefined || value === null || value === '') throw new CallError({ message, code: 'bad_request' })
  }
}

type Sending = Omit<CallOptions, 'key'> & { loose: Loose; token: string | undefined; key: string | undefined }

async function send(route: Route, { loose, token, key, ...options }: Sending): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (key) headers.set('idempotency-key', key)
  const content = contentOf(route, loose)
  if (typeof content === 'string') headers.set('content-type', 'application/json')

  const isWrite = route.method !== 'GET'
  // Offline, a write fails immediately instead of waiting for a timeout.
  if (isWrite && !isConnected() && !(await checkConnection())) throw unreachable()
  return request(addressOf(route, loose), {
    method: route.method,
    headers,
    ...(content === undefined ? {} : { body: content }),
    ...options,
  })
}

async function request(address: string, options: RequestInit): Promise<Response> {
  try {
    const response = await fetch(address, options)
    if (isGateway(response.status)) throw unreachable()
    noteAnswer(true)
    return response
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    void checkConnection()
    throw error instanceof CallError ? error : unreachable()
  }
}

function unreachable(): CallError {
  return new CallError({ message: messages.network, code: 'network' })
}

function addressOf(route: Route, { path, query }: Loose): string {
  const values = new Map<string, unknown>(Object.entries(path ?? {}))
  const place = route.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(textOf(values.get(key))))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(key, textOf(value))
  }
  return search.size > 0 ? `${place}?${search.toString()}` : place
}

function contentOf({ multipart, method }: Route, { body, files: chosen }: Loose): FormData | string | undefined {
  const anyFile = Object.values(chosen ?? {}).some((file) => file !== undefined)
  if (multipart && anyFile) {
    const form = new FormData()
    // Text fields first: the server streams the form and needs them before the file.
    for (const [key, value] of Object.entries(isRecord(body) ? body : {})) {
      if (value !== undefined) form.append(key, textOf(value))
    }
    for (const [key, file] of Object.entries(chosen ?? {})) if (file) form.append(key, file)
    return form
  }
  if (body !== undefined) return JSON.stringify(body)
  return method === 'GET' ? undefined : '{}'
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

async function read(route: Route, response: Response): Promise<unknown> {
  if (!response.ok) throw await refusalOf(route, response)
  if (route.file) return response.blob()
  const answer: unknown = await response.json().catch(() => undefined)
  if (!isRecord(answer) || answer['success'] === false) throw refusal(route, { answer, status: response.status })
  return completeList(route, route.top ? answer : answer['data'])
}

/** A list response without its list is treated as an empty list with one page. */
function completeList({ lists = [] }: Route, answer: unknown): unknown {
  const missing = isRecord(answer) ? lists.filter((name) => !Array.isArray(answer[name])) : []
  if (!isRecord(answer) || missing.length === 0) return answer
  const empty = Object.fromEntries(missing.map((name) => [name, []]))
  return { total: 0, totalCampaigns: 0, count: 0, ...answer, ...empty, totalPages: 1, currentPage: 1, page: 1 }
}

async function refusalOf(route: Route, response: Response): Promise<CallError> {
  const answer: unknown = await response.json().catch(() => undefined)
  return refusal(route, { answer, status: response.status })
}

function refusal({ fallback }: Route, { answer, status }: { answer: unknown; status: number }): CallError {
  const said = isRecord(answer) ? answer : {}
  return new CallError({
    message: wordsOf(said['message'], fallback),
    status,
    code: typeof said['code'] === 'string' ? said['code'] : 'internal',
    details: Array.isArray(said['details']) ? said['details'].filter(isDetail) : [],
  })
}

/** The first of several messages. */
function wordsOf(message: unknown, fallback: string): string {
  if (Array.isArray(message)) {
    const first: unknown = message.find((item) => typeof item === 'string' && item !== '')
    return typeof first === 'string' ? first : messages.validation
  }
  return typeof message === 'string' && message !== '' ? message : fallback
}

function isDetail(value: unknown): value is ProblemDetail {
  return isRecord(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
