import type { FailureClass } from '@carillon/contract/campaign-records'
import type { OutboundMessage } from '../../../channels/provider.ts'
import type { Recipient } from './chunks.queries.ts'
import type { Leg } from './legs.ts'
import type { Result } from './results.ts'

export type Rendered = { recipient: Recipient; message: OutboundMessage | undefined }

/** Undefined if a variable of the row has no value. */
export function render(leg: Leg, recipient: Recipient): Rendered {
  const rendered = leg.render(recipient)
  if (!rendered) return { recipient, message: undefined }
  const message: OutboundMessage = {
    ...rendered,
    reference: leg.referenceOf(recipient.seq),
    to: `+${recipient.phone}`,
    expiresAt: leg.expiresAt,
    ...(leg.ttlSeconds === null ? {} : { ttlSeconds: leg.ttlSeconds }),
  }
  return { recipient, message }
}

/** The result of a recipient that gets no message. */
export function skip({ seq, phone }: Recipient, reason: FailureClass): Result {
  return { seq, phone, status: 'skipped', parts: 1, attempt: 1, providerMessageIds: [], reason }
}
