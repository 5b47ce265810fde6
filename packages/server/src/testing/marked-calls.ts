import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { shapeOf, type Shape } from './call-samples.ts'
import type { UncheckedOptions } from './server.ts'

/** The call with a mark in every free text of its body. */
export function withMark(name: EndpointName, call: UncheckedOptions, mark: string): UncheckedOptions {
  const { body }: Endpoint = endpoints[name]
  return body ? { ...call, body: marked(call.body ?? {}, shapeOf(body), mark) } : call
}

function marked(value: unknown, { properties = {} }: Shape, mark: string): unknown {
  const texts = Object.entries(properties).filter(([, property]) => isFree(property))
  const record = value as Record<string, string | undefined>
  return {
    ...record,
    ...Object.fromEntries(texts.map(([key]) => [key, `${record[key] ?? ''} ${mark}`.trim()])),
  }
}

const isFree = ({ type, format, pattern, enum: choices, maxLength = 0 }: Shape) =>
  type === 'string' && !format && !pattern && !choices && maxLength >= 60 && maxLength <= 5000
