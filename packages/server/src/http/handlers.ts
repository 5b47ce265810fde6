import type { Readable } from 'node:stream'
import type { Answer, Endpoint, Input } from '@carillon/contract/endpoint'
import type { Module, Role } from '@carillon/contract/roles'
import type { Db } from '../db/pool.ts'
import type { Reach } from '../db/reach.ts'

/** The signed-in account, as a call sees it. */
export type Actor = {
  accountId: string
  organizationId: string
  role: Role
  username: string
  email: string
  timezone: string
  modules: ReadonlySet<Module>
  reach: Reach
  sessionId: string
  /** Who really acts, when an admin or reseller is inside this account. */
  impersonatedBy: string | undefined
  /** It may look and change things, but sends nothing. */
  isSuspended: boolean
  /** It signed in with a password that was set for it, and may do nothing before it has one of its own. */
  mustSetPassword: boolean
}

/** A file of a multipart form, already on disk and gone again after the call unless it is kept. */
export type UploadedFile = { fileName: string; mimeType: string; path: string; sizeBytes: number; sha256: Buffer }

/** Bytes to download. */
export type FileAnswer = {
  fileName: string
  contentType: string
  body: Readable | AsyncIterable<Uint8Array | string>
  /** The address names just these bytes, for everybody: whoever has them need not ask again. */
  isLasting?: true
}

export type Call<Entry extends Endpoint> = {
  /** One transaction for the whole call, in the actor's scope; committed before the answer leaves. */
  db: Db
  actor: Entry extends { orPublic: true } ? Actor | undefined : Entry['roles'] extends 'public' ? undefined : Actor
  input: Input<Entry>
  files: Readonly<Record<string, UploadedFile | undefined>>
  /** `host`: the host name that was asked, without its port. */
  client: { ip: string; userAgent: string; host: string }
  /** Transactions of their own in the same scope, for answers that stream after the call's own has ended. */
  scoped<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  /** Runs after the commit and before the answer leaves; what it does is lost in a crash, so only wake-ups, waits and the like. */
  afterCommit(effect: () => void | Promise<void>): void
}

export type Handler<Entry extends Endpoint> = (
  call: Call<Entry>,
) => Promise<Entry['data'] extends 'file' ? FileAnswer : Answer<Entry>>

/** Exhaustive: a missing or extra name does not compile. */
export type Handlers<Table extends Record<string, Endpoint>> = { [Name in keyof Table]: Handler<Table[Name]> }
