import type { z } from 'zod'
import type { ApiScope } from './api-scopes.ts'
import type { Module, Role } from './roles.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A file field of a multipart form. */
export type FileField = { maximumBytes: number; optional?: true }

/** Body limit of calls that declare none. */
export const defaultBodyBytes = 256 * 1024

/** How AI agents see a call over the Model Context Protocol. */
export type Tool = {
  /** Such as `send_message`. */
  name: string
  title: string
  description: string
  /** The call that only checks the input. It is made instead of this one unless the agent gives `dryRun: false`. */
  dryRun?: string
}

/** Definition of an API call. The server mounts it, the browser calls it; the API reference and the authorization tests are generated from it. */
export type Endpoint = {
  /** Method and path as in the specification; parameters in braces. */
  route: `${Method} /${string}`
  summary: string
  /** Roles that may call it; `public`: no session required, `session`: any signed-in account. */
  roles: readonly Role[] | 'public' | 'session'
  /** Module permission required in addition to the role. */
  module?: Module
  /** The scope that an API key needs to make the call. Absent: API keys may not make it. */
  scope?: ApiScope
  path?: z.ZodObject
  query?: z.ZodObject
  /** JSON body; with `files`, also the text fields of a multipart form. */
  body?: z.ZodType
  files?: Record<string, FileField>
  /** Maximum size of the body, or of a form's text fields in total. Default: 256 KB. */
  maximumBodyBytes?: number
  /** Below 10 % free disk space, `refuse` calls return 507, as uploads do. Below 5 %, all writes do, except deletions and `accept` calls. */
  onLowDisk?: 'refuse' | 'accept'
  /**
   * It calls a provider or a mail server: its handler gets no transaction, and each organisation may have only a few such calls
   * in progress. With a query parameter, only calls with this value count.
   */
  asksProvider?: true | { query: string; is: string }
  /** Data of a success response. `file` streams bytes instead of JSON. */
  data: z.ZodType | 'file'
  /** True if the specification puts the fields of `data` at the top level of the response. */
  top?: true
  /** The specification's message if the server gives none. */
  fallback: string
  /** The specification's message for a missing identifier, by parameter name. */
  required?: Record<string, string>
  /** True if the call is not in the specification. */
  addition?: true
  /** True if the response contains a token, password or code. It is not stored, so a repeat with the same idempotency key is rejected. */
  answersSecret?: true
  /** Test keys may make the call, although it is not a GET: for them it concerns objects of the environment test only. */
  testKeys?: true
  /** Calls of an account are accepted together, so the handler itself keeps the answers of idempotency keys. */
  repeatsTogether?: true
  /** Calls with an API key are kept in the request log. */
  isLogged?: true
  /** Offered to AI agents at `/mcp`, if their API key may make the call. */
  tool?: Tool
  /** False for calls that an impersonating session may not make: money, keys, passwords, roles. */
  impersonation?: false
}

/** Checks the shape of each entry and keeps its exact schema types. */
export function defineEndpoints<const Table extends Record<string, Endpoint>>(table: Table): Table {
  return table
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined

/** Parsed input of a handler. */
export type Input<Entry extends Endpoint> = {
  path: Parsed<Entry['path']>
  query: Parsed<Entry['query']>
  body: Parsed<Entry['body']>
}

/** Return value of a handler. */
export type Answer<Entry extends Endpoint> = Entry['data'] extends z.ZodType ? z.input<Entry['data']> : undefined

/** Data the browser receives. */
export type Data<Entry extends Endpoint> = Entry['data'] extends z.ZodType ? z.output<Entry['data']> : Blob

type OmitUndefined<T> = { [Key in keyof T as T[Key] extends undefined ? never : Key]: T[Key] }

/** Arguments the browser passes: only the parts the call has. */
export type Arguments<Entry extends Endpoint> = OmitUndefined<{
  path: Sent<Entry['path']>
  query: Sent<Entry['query']>
  body: Sent<Entry['body']>
}>
