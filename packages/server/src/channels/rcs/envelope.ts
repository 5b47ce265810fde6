import type { WebhookResult } from '../provider.ts'
import { isRow, rowOf, type Row } from '../read-json.ts'
import { parseJson } from './json.ts'

/** An event as Pub/Sub pushes it: the bytes that are signed, and the attributes beside them. */
export type Envelope = { data: Buffer; attributes: Row }

/** Undefined if the body is something else. */
export function openEnvelope(body: unknown): Envelope | undefined {
  const { message } = rowOf(body)
  if (!isRow(message)) return undefined
  const { data } = message
  if (typeof data !== 'string' || data === '' || !/^[\w+/=-]*$/.test(data)) return undefined
  return { data: Buffer.from(data, 'base64'), attributes: rowOf(message['attributes']) }
}

/** The event in an envelope. Throws if it is not JSON: then the callback is stored for analysis. */
export function readData({ data }: Envelope): Row {
  const event = parseJson(data.toString('utf8'))
  if (!isRow(event)) throw new Error('The data of the event is not a JSON object')
  return event
}

export type Refused = Extract<WebhookResult, { kind: 'refused' }>

export function refuse(status: Refused['status'], message: string): Refused {
  return { kind: 'refused', status, message }
}

/** Bots are written with and without the domain. */
export function isSameBot(one: string, other: string): boolean {
  return withoutDomain(one) === withoutDomain(other)
}

const withoutDomain = (id: string) => id.toLowerCase().replace(/@rbm\.goog$/, '')
