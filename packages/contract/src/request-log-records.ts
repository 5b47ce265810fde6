import { z } from 'zod'
import { ApiEnvironment } from './api-key-records.ts'
import { Channel } from './channels.ts'
import { Id, Instant, Rupees } from './common.ts'
import { PublicMessage } from './public-message-records.ts'

/**
 * What became of a request that sends. `accepted`: no message was handed over yet; `processing`: some have no final status;
 * `partially_failed`: some messages failed or were refused; `rejected`: none was accepted.
 */
export const ApiSendStatus = z.enum(['accepted', 'processing', 'completed', 'partially_failed', 'failed', 'rejected'])
export type ApiSendStatus = z.infer<typeof ApiSendStatus>

/** Longer request and response bodies are cut. */
export const maximumLoggedBytes = 16 * 1024
/** A list counts and pages the newest requests. */
export const maximumListedRequests = 10_000
/** With a status that depends on messages, a list looks at so many of the newest requests. */
export const maximumJudgedRequests = 1000

/** A call of the public API that sends, made with an API key. */
export const ApiSendRequest = z.object({
  id: Id,
  kind: z.literal('api_send'),
  source: z.literal('api'),
  status: ApiSendStatus,
  /** Absent if its messages have several, or if none was accepted. */
  channel: Channel.optional(),
  environment: ApiEnvironment,
  key: z.object({ id: Id, name: z.string() }),
  /** The owner of the key. */
  createdBy: z.object({ _id: Id, name: z.string() }),
  method: z.string(),
  path: z.string(),
  httpStatus: z.int(),
  /** Of the error, as they were answered. */
  code: z.string().optional(),
  message: z.string().optional(),
  /** The answer was that of an earlier request with the same Idempotency-Key. */
  isReplay: z.boolean(),
  durationMs: z.int(),
  counts: z.object({
    messages: z.int(),
    accepted: z.int(),
    refused: z.int(),
    delivered: z.int(),
    failed: z.int(),
  }),
  /** What was held for its messages when they were accepted; absent if the answer did not contain it. */
  cost: Rupees.optional(),
  createdAt: Instant,
})
export type ApiSendRequest = z.infer<typeof ApiSendRequest>

/** Null if it was not stored, or if there was none. */
const LoggedBody = z.object({ text: z.string(), isCut: z.boolean() }).nullable()

export const ApiSendDetails = ApiSendRequest.extend({
  clientAddress: z.string(),
  /** Its first characters. */
  idempotencyKey: z.string().optional(),
  requestBody: LoggedBody,
  responseBody: LoggedBody,
})
export type ApiSendDetails = z.infer<typeof ApiSendDetails>

/** A message of a request. */
export const ApiSendMessage = PublicMessage.pick({
  id: true,
  legs: true,
  to: true,
  channel: true,
  status: true,
  reason: true,
  code: true,
  detail: true,
  cost: true,
  createdAt: true,
  sendAt: true,
  sentAt: true,
  deliveredAt: true,
  readAt: true,
  failedAt: true,
}).extend({ requestId: Id, segments: z.int() })
export type ApiSendMessage = z.infer<typeof ApiSendMessage>
