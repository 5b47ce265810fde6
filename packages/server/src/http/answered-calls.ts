import type { EndpointName } from '@carillon/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKeyActor, UserActor } from '../actor.ts'
import { addressOf } from './client.ts'

/** A call with an API key and what it was answered. */
export type AnsweredCall = {
  /** Also in the answer's header `request-id`. */
  requestId: string
  call: EndpointName
  actor: UserActor & { apiKey: ApiKeyActor }
  method: string
  /** Without the query. */
  path: string
  clientAddress: string
  idempotencyKey: string | undefined
  isReplay: boolean
  receivedAt: Date
  durationMs: number
  /** As it was parsed; undefined if it was not. */
  requestBody: unknown
  status: number
  responseBody: object
}

/** Called after the answer was given, so that the caller does not wait for it. Must not throw. */
export type NoteCall = (call: AnsweredCall) => void

type Watched = Pick<AnsweredCall, 'call' | 'actor'> & { note: NoteCall; receivedAt: Date }

const watched = new WeakMap<FastifyRequest, Watched>()

/** Notes the answer of this request when it is given, whether it succeeds or is refused. */
export function watchAnswer(request: FastifyRequest, watch: Watched): void {
  watched.set(request, watch)
}

/** For every answer to a call of the contract and every error. */
export function noteAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Pick<AnsweredCall, 'status' | 'responseBody'>,
): void {
  const watch = watched.get(request)
  if (!watch) return
  watched.delete(request)
  const { note, ...call } = watch
  const { 'idempotency-key': key } = request.headers
  const noted: AnsweredCall = {
    ...call,
    ...answer,
    method: request.method,
    path: request.url.split('?')[0] ?? '',
    clientAddress: addressOf(request),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    isReplay: reply.getHeader('idempotent-replayed') === 'true',
    durationMs: Math.round(reply.elapsedTime),
    requestBody: request.body,
    requestId: request.id,
  }
  setImmediate(note, noted)
}
