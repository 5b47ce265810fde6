import type { DeliveryReport, PreferenceChange, ProviderEvent } from '../../provider.ts'
import { reasonOf } from './codes.ts'
import { describeError } from './graph-error.ts'
import { rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import { instantOf } from './json.ts'

const statuses: ReadonlyMap<string, DeliveryReport['status']> = new Map<string, DeliveryReport['status']>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  // A voice message that was listened to was read.
  ['played', 'read'],
  ['failed', 'failed'],
])

/** The person stopped marketing messages of this business in WhatsApp. */
export const marketingStopped = '131050'

export function stopOf(from: string, at: Date): PreferenceChange {
  return { kind: 'preference-change', from, wantsNone: true, at }
}

/** The status of one of our messages; other values, such as `deleted`, are ignored. */
export function readStatus(row: Row, value: Row): ProviderEvent[] {
  const status = statuses.get(stringOf(row['status']) ?? '')
  const id = stringOf(row['id'])
  if (!status || id === undefined) return []
  const reference = stringOf(row['biz_opaque_callback_data'])
  const failure = status === 'failed' ? readErrors(row) : {}
  const person = stringOf(row['recipient_id'])
  return [
    {
      kind: 'delivery-report',
      providerMessageIds: [id],
      ...(reference === undefined ? {} : { reference }),
      status,
      ...failure,
      at: instantOf(row['timestamp']),
      // Includes the price, which Meta adds to some statuses.
      raw: JSON.stringify(row),
      ...lineOf(value),
    },
    ...(failure.code === marketingStopped && person !== undefined
      ? [{ ...stopOf(person, instantOf(row['timestamp'])), raw: JSON.stringify(row), ...lineOf(value) }]
      : []),
  ]
}

function readErrors(row: Row): Pick<DeliveryReport, 'reason' | 'code' | 'detail'> {
  const [error] = rowsOf(row['errors'])
  if (!error) return { reason: 'unknown' }
  const code = stringOf(error['code'])
  return {
    reason: reasonOf(Number(code ?? Number.NaN)),
    ...(code === undefined ? {} : { code }),
    detail: describeError(error),
  }
}

/** The line that a change concerns. */
export function lineOf(value: Row): { lineId?: string } {
  const lineId = stringOf(rowOf(value['metadata'])['phone_number_id'])
  return lineId === undefined ? {} : { lineId }
}
