import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints, type EndpointName, type Endpoint, type Endpoints } from '@carillon/contract'
import type { Arguments, Data } from '@carillon/contract/endpoint'
import type { Refusal, RefusalStatus } from '@carillon/contract/errors'
import { createApp, type App } from '../app.ts'
import { readConfig } from '../config.ts'
import { traceConnections } from '../db/one-connection.ts'
import type { ReadFreeShare } from '../http/disk-guard.ts'
import type { Clock } from '../lib/clock.ts'
import { createLogger } from '../lib/logger.ts'
import { findSchemaError } from './answer-schema.ts'
import type { Account } from './builders.ts'
import { testDatabase, type TestDatabase } from './database.ts'

/** Options of every call. */
type Common = {
  /** The caller; absent: no token is sent. */
  as?: Account | { token: string } | undefined
  /** Sends a multipart form: the fields of `body` and these files. */
  files?: Record<string, { name: string; content: Uint8Array | string; type?: string }>
  headers?: Record<string, string>
}

/** The parts of a call, unchecked by types. */
export type UncheckedOptions = Common & {
  path?: Record<string, string | number>
  query?: Record<string, string | number | undefined>
  body?: unknown
  /** Raw JSON text, for what `body` cannot express. */
  rawBody?: string
}

type OptionalKeys<T> = { [Key in keyof T]: {} extends T[Key] ? Key : never }[keyof T]
type Relaxed<T> = Omit<T, OptionalKeys<T>> & Partial<Pick<T, OptionalKeys<T>>>

/** Path, query and body as in the contract. */
export type CallOptions<Name extends EndpointName> = Common & Relaxed<Arguments<Endpoints[Name]>>

/** Options are optional if the call requires none. */
export type CallParameters<Name extends EndpointName> =
  {} extends CallOptions<Name> ? [options?: CallOptions<Name>] : [options: CallOptions<Name>]

type Received<Name extends EndpointName> = {
  text: string
  bytes: Uint8Array
  headers: Headers
  /** The data of a successful call; throws otherwise. */
  data(): CallData<Name>
}
type Succeeded = { success: true; message: string }
type BodyOf<Entry extends Endpoint> = Entry extends { data: 'file' }
  ? undefined
  : Entry extends { top: true }
    ? Succeeded & Data<Entry>
    : Succeeded & { data: Data<Entry> }

export type CallAnswer<Name extends EndpointName = EndpointName> =
  | (Received<Name> & { status: 200; body: BodyOf<Endpoints[Name]> })
  | (Received<Name> & { status: RefusalStatus; body: Refusal })

/** Result of a successful call: its `data`, or the whole body for top-level calls. */
export type CallData<Name extends EndpointName> = Name extends EndpointName ? Data<Endpoints[Name]> : never

export type Calls = {
  /** A call over real HTTP by contract name. Throws if the OpenAPI document does not allow the response. */
  call<Name extends EndpointName>(name: Name, ...options: CallParameters<Name>): Promise<CallAnswer<Name>>
  /** The same with input that may violate the contract. */
  callUnchecked<Name extends EndpointName>(name: Name, options?: UncheckedOptions): Promise<CallAnswer<Name>>
  /** A call that must succeed; returns its data. */
  ask<Name extends EndpointName>(name: Name, ...options: CallParameters<Name>): Promise<CallData<Name>>
}

export type TestServer = TestDatabase &
  Calls & {
    app: App
    url: string
    databaseUrl: string
    dataDirectory: string
    /** Calls as this account unless the options name another. */
    as(account: Account): Calls
    close(): Promise<void>
  }

export type TestServerOptions = {
  environment?: NodeJS.ProcessEnv
  clock?: Clock
  readFreeShare?: ReadFreeShare
  /** Such as `--run=web`; default: all roles. */
  flags?: string[]
  /** False: links in mails are dropped as in production. */
  storesMailLinks?: boolean
  /** Receives all log lines of every level. */
  log?: string[]
  /** Another process of the same installation: same database, separate caches. Close it first. */
  beside?: TestServer
}

/** The whole product on a free port with its own database. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  // Files of one worker share the list.
  const { length: refusedBefore } = traceConnections()
  const test = options.beside ? { ...options.beside, url: options.beside.databaseUrl } : await testDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-data-'))
  const environment = {
    DATA_DIR: dataDirectory,
    DATABASE_URL: test.url,
    LOG_LEVEL: 'silent',
    DATABASE_POOL: '10',
    REQUESTS_PER_SECOND: '100000',
    ...options.environment,
  }
  const { log } = options
  const config = readConfig(environment, options.flags ?? [])
  const app = await createApp({
    config,
    databaseUrl: test.url,
    logger: log ? createLogger('trace', { write: (line) => log.push(line) }) : createLogger('silent'),
    version: 'test',
    storesMailLinks: options.storesMailLinks ?? true,
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.readFreeShare ? { readFreeShare: options.readFreeShare } : {}),
  })
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  if (config.SMPP_PORT !== undefined) await app.smpp?.listen({ port: config.SMPP_PORT, host: '127.0.0.1' })

  return {
    ...test,
    databaseUrl: test.url,
    app,
    url,
    dataDirectory,
    ...callsAt(url, {}),
    as: (account) => callsAt(url, { as: account }),
    async close() {
      await app.close()
      if (!options.beside) await test.drop()
      rmSync(dataDirectory, { recursive: true, force: true })
      // Also if the error was swallowed.
      const refused = traceConnections()[refusedBefore]
      if (refused) throw refused
    },
  }
}

function callsAt(url: string, common: UncheckedOptions): Calls {
  return {
    call: (name, ...[options]) => call(url, name, { ...common, ...options }),
    callUnchecked: (name, options) => call(url, name, { ...common, ...options }),
    ask: async (name, ...[options]) => (await call(url, name, { ...common, ...options })).data(),
  }
}

async function call<Name extends EndpointName>(
  url: string,
  name: Name,
  options: UncheckedOptions,
): Promise<CallAnswer<Name>> {
  const endpoint: Endpoint = endpoints[name]
  const [method, template] = endpoint.route.split(' ') as [string, string]
  const path = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(String(options.path?.[parameter] ?? '')),
  )
  const query = new URLSearchParams(
    Object.entries(options.query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  )
  const headers = new Headers(options.headers)
  if (options.as) headers.set('authorization', `Bearer ${options.as.token}`)
  const answer = await fetch(`${url}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers,
    ...payload(options, headers),
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const isJson = answer.headers.get('content-type')?.includes('application/json') ?? false
  const body: unknown = isJson ? JSON.parse(text) : undefined
  const schemaError = isJson ? findSchemaError(name, answer.status, body) : undefined
  if (schemaError) throw new Error(schemaError)
  const received = { status: answer.status, body, text, bytes, headers: answer.headers }
  // The response was just validated against the document generated from the contract.
  return { ...received, data: () => dataOf(endpoint, received) } as CallAnswer<Name>
}

function dataOf({ route, top }: Endpoint, { status, body, text }: { status: number; body: unknown; text: string }) {
  if (status !== 200) throw new Error(`${route} answered ${status}: ${text}`)
  // Without `top`, the fields are under `data`.
  return top ? body : (body as { data: unknown }).data
}

function payload({ body, rawBody, files }: UncheckedOptions, headers: Headers): { body?: FormData | string } {
  if (files) {
    const form = new FormData()
    for (const [key, value] of Object.entries((body ?? {}) as Record<string, unknown>))
      form.append(key, typeof value === 'string' ? value : JSON.stringify(value))
    for (const [key, file] of Object.entries(files))
      form.append(
        key,
        new File([file.content as Uint8Array<ArrayBuffer> | string], file.name, {
          type: file.type ?? 'application/octet-stream',
        }),
      )
    return { body: form }
  }
  if (body === undefined && rawBody === undefined) return {}
  headers.set('content-type', 'application/json')
  return { body: rawBody ?? JSON.stringify(body) }
}
