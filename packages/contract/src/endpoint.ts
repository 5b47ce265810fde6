import type { z } from 'zod'
import type { Module, Role } from './roles.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A file field of a multipart form. */
export type FileField = { maximumBytes: number; optional?: true }

/** The body of a call that declares no other limit. */
export const defaultBodyBytes = 256 * 1024

/**
 * One call of the product: everything both sides need to know about it.
 * The server mounts it, the browser calls it, the reference page and the authorisation tests are generated from it.
 */
export type Endpoint = {
  /** Method and path as the specification spells them; parameters in braces. */
  route: `${Method} /${string}`
  summary: string
  /** Who may call; `public` needs no session, `session` any signed-in account without a role check. */
  roles: readonly Role[] | 'public' | 'session'
  /** The module permission it needs beside the role. */
  module?: Module
  path?: z.ZodObject
  query?: z.ZodObject
  /** A JSON body; with `files`, the text fields of a multipart form as well. */
  body?: z.ZodType
  files?: Record<string, FileField>
  /** The most bytes of the body, of a form's text fields in all; 256 KB without. */
  maximumBodyBytes?: number
  /**
   * With less than 10 % of the disk free, `refuse` calls answer 507, as uploads do. With less than 5 %, every write does but
   * deletions and `accept` calls.
   */
  onLowDisk?: 'refuse' | 'accept'
  /** What a success carries. `file` streams bytes instead of JSON. */
  data: z.ZodType | 'file'
  /** True where the specification puts the fields of `data` at the top of the answer instead of under `data`. */
  top?: true
  /** The specification's message when the server gives none. */
  fallback: string
  /** The specification's own message for a missing identifier, by the parameter's name. */
  required?: Record<string, string>
  /** True where the specification has no such call. */
  addition?: true
  /** True where the answer holds a token, password or code: it is never stored, so a repeat with the same key is refused. */
  answersSecret?: true
  /** False for calls an impersonating session may not make: money, keys, passwords, roles. */
  impersonation?: false
}

/** Keeps each entry's exact schemas while checking its shape. */
export function defineEndpoints<const Table extends Record<string, Endpoint>>(table: Table): Table {
  return table
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined

/** What a handler receives, parsed. */
export type Input<Entry extends Endpoint> = {
  path: Parsed<Entry['path']>
  query: Parsed<Entry['query']>
  body: Parsed<Entry['body']>
}

/** What a handler answers. */
export type Answer<Entry extends Endpoint> = Entry['data'] extends z.ZodType ? z.input<Entry['data']> : undefined

/** What the browser gets back. */
export type Data<Entry extends Endpoint> = Entry['data'] extends z.ZodType ? z.output<Entry['data']> : Blob

type OmitUndefined<T> = { [Key in keyof T as T[Key] extends undefined ? never : Key]: T[Key] }

/** What the browser passes: only the parts the call has. */
export type Arguments<Entry extends Endpoint> = OmitUndefined<{
  path: Sent<Entry['path']>
  query: Sent<Entry['query']>
  body: Sent<Entry['body']>
}>
