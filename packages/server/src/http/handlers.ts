import type { Readable } from 'node:stream'
import type { Answer, Endpoint, Input } from '@carillon/contract/endpoint'
import type { SessionActor, UserActor } from '../actor.ts'
import type { Db, RunTransaction } from '../db/pool.ts'
import type { Client } from './client.ts'
import type { Repeatable } from './idempotency.ts'

/** An uploaded file, already on disk; deleted after the call unless it was stored. */
export type UploadedFile = { fileName: string; mimeType: string; path: string; sizeBytes: number; sha256: Buffer }

/** A download. */
export type FileAnswer = {
  fileName: string
  contentType: string
  body: Readable | AsyncIterable<Uint8Array | string>
  /** The URL identifies exactly these bytes, for everyone: clients may cache them forever. */
  isLasting?: true
}

type Received<Entry extends Endpoint> = {
  actor: Entry['roles'] extends 'public' ? undefined : Entry extends { scope: string } ? UserActor : SessionActor
  input: Input<Entry>
  files: Readonly<Record<string, UploadedFile | undefined>>
  client: Client
}

export type Call<Entry extends Endpoint> = Received<Entry> & {
  /**
   * In the actor's scope. One transaction for the whole call, committed before the response is sent; in a GET call each
   * statement is a read-only transaction of its own.
   */
  db: Db
  /**
   * Runs after the commit and before the response is sent, with transactions of its own. Lost if the process crashes in
   * between, so only for notifications, waits and the like.
   */
  afterCommit(effect: (scoped: RunTransaction) => unknown): void
}

/** A call that opens short transactions itself and holds no connection between them. */
export type CallWithoutTransaction<Entry extends Endpoint> = Received<Entry> & {
  /** A transaction in the actor's scope; without an actor, across all organizations. */
  scoped: RunTransaction
  /** A transaction across all organizations. */
  asSystem: RunTransaction
  /** The call for its `Idempotency-Key`; the handler uses it only if the endpoint has `repeatsTogether`. */
  repeatable: Repeatable | undefined
  /** The answer is that of an earlier call with the same key. */
  noteReplay(): void
}

type Answered<Entry extends Endpoint> = Promise<Entry['data'] extends 'file' ? FileAnswer : Answer<Entry>>

/**
 * Either one transaction for the whole call, or none: calls that wait for a provider, hash a password or stream must not hold a
 * connection. No call has both, because a call that holds a connection and requests a second can deadlock the pool. Handlers of
 * endpoints that call a provider get no transaction.
 */
export type Handler<Entry extends Endpoint> = Entry extends { asksProvider: object | true }
  ? WithoutTransaction<Entry>
  : ((call: Call<Entry>) => Answered<Entry>) | WithoutTransaction<Entry>

type WithoutTransaction<Entry extends Endpoint> = {
  withoutTransaction(call: CallWithoutTransaction<Entry>): Answered<Entry>
}

/** Exhaustive: a missing or extra name does not compile. */
export type Handlers<Table extends Record<string, Endpoint>> = { [Name in keyof Table]: Handler<Table[Name]> }
