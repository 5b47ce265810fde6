import { maximumWebhookBytes, type DeliveredType } from '@carillon/contract/webhook-records'
import { storableJson } from '../../lib/storable.ts'

/** The body of a webhook, which every attempt sends unchanged. Data that is too large is cut to its ids. */
export function composeBody(type: DeliveredType, at: Date, data: Record<string, unknown>): string {
  const write = (content: Record<string, unknown>) =>
    JSON.stringify({ type, timestamp: at.toISOString(), data: storableJson(content) })
  const body = write(data)
  return Buffer.byteLength(body) <= maximumWebhookBytes ? body : write({ ...idsOf(data), isCut: true })
}

/** The ids in a record and in the records within it. */
function idsOf(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
      if (typeof value === 'string' && value.length <= longestId && /^_?id$|Id$/.test(name)) return [[name, value]]
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
      // A plain object of the data, which JSON will write.
      const within = idsOf(value as Record<string, unknown>)
      return Object.keys(within).length > 0 ? [[name, within]] : []
    }),
  )
}

const longestId = 100
