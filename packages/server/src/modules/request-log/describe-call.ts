import type { AcceptedMessage, BatchAnswer } from '@carillon/contract/public-message-records'
import type { EndpointName } from '@carillon/contract'
import type { z } from 'zod'
import type { AnsweredCall } from '../../http/answered-calls.ts'
import { toUnits } from '../balance/index.ts'
import { defaultPrivacy, maskText, storeBody, type Privacy } from './mask-body.ts'

/** A row of `api_requests`, whose day follows from its time. */
export type LoggedRequest = ReturnType<typeof describeCall>

type Sent = { id: string; channel: string; cost?: number }
type Batch = z.output<typeof BatchAnswer>

/** The accepted messages of successful answers, which have the form that the contract says. */
const sentBy: Partial<Record<EndpointName, (data: unknown) => Sent[]>> = {
  'publicMessages.send': (data) => [data as AcceptedMessage],
  'publicMessages.sendMany': (data) =>
    (data as Batch).messages.flatMap((message) => ('accepted' in message ? [message.accepted] : [])),
  'otp.send': sentByOtp,
  'otp.resend': sentByOtp,
}

/** Their text has the code. */
const withCode: ReadonlySet<EndpointName> = new Set(['otp.send', 'otp.resend'])

function sentByOtp(data: unknown): Sent[] {
  const { messageId, channel } = data as { messageId: string; channel: string }
  return [{ id: messageId, channel }]
}

const keptOfKey = 64

export function describeCall(answered: AnsweredCall) {
  const { actor, idempotencyKey } = answered
  const privacy = privacyOf(answered)
  const hide = (text: string) => maskText(text, privacy.maskNumbers)
  return {
    organization_id: actor.organizationId,
    id: answered.requestId,
    created_at: answered.receivedAt.toISOString(),
    account_id: actor.accountId,
    api_key_id: actor.apiKey.id,
    environment: actor.apiKey.environment,
    call: answered.call,
    method: answered.method,
    path: hide(answered.path),
    http_status: answered.status,
    duration_ms: answered.durationMs,
    client_address: answered.clientAddress,
    idempotency_key: idempotencyKey === undefined ? null : hide(idempotencyKey.slice(0, keptOfKey)),
    is_replay: answered.isReplay,
    ...describeAnswer(answered, hide),
    ...describeBodies(answered, privacy),
  }
}

function describeAnswer(answered: AnsweredCall, hide: (text: string) => string) {
  const { call, requestBody, isReplay } = answered
  // The envelope of every answer.
  const { code, message = '', data } = answered.responseBody as { code?: string; message?: string; data?: unknown }
  const isRefused = code !== undefined
  const sent = isRefused ? [] : (sentBy[call]?.(data) ?? [])
  const messages = countMessages(requestBody)
  return {
    code: isRefused ? code : null,
    message: isRefused ? hide(message) : null,
    channel: channelOf(sent),
    messages,
    accepted: sent.length,
    refused: messages - sent.length,
    message_ids: sent.map(({ id }) => id),
    cost: costOf(sent, isReplay),
  }
}

function describeBodies({ requestBody, responseBody }: AnsweredCall, privacy: Privacy) {
  const request = storeBody(requestBody, { of: 'request', privacy })
  const response = storeBody(responseBody, { of: 'response', privacy })
  return {
    request_body: request?.text ?? null,
    is_request_cut: request?.isCut ?? false,
    response_body: response?.text ?? null,
    is_response_cut: response?.isCut ?? false,
  }
}

function privacyOf({ call, actor }: AnsweredCall): Privacy {
  const privacy = actor.apiKey.config?.privacy ?? defaultPrivacy
  return privacy.storeBody === 'full' && withCode.has(call) ? { ...privacy, storeBody: 'masked' } : privacy
}

/** Of a call that was refused as a whole, its messages were refused. */
function countMessages(body: unknown): number {
  const { messages } = (body ?? {}) as { messages?: unknown }
  return Array.isArray(messages) ? messages.length : 1
}

function channelOf(sent: readonly Sent[]): string | null {
  const channels = new Set(sent.map(({ channel }) => channel))
  return channels.size === 1 ? (sent[0]?.channel ?? null) : null
}

/** A replay costs nothing. Answers to one-time passwords do not contain a cost. */
function costOf(sent: readonly Sent[], isReplay: boolean): number | null {
  if (isReplay) return 0
  return sent.reduce<number | null>(
    (sum, { cost }) => (sum === null || cost === undefined ? null : sum + toUnits(cost)),
    0,
  )
}
