import type { MessageStatus } from '@carillon/contract/campaign-records'
import type { DeliveredType } from '@carillon/contract/webhook-records'
import { keyOf, presentMessage, readMessages, readOrigins, type Found } from './sent-messages.ts'
import { subjectOf, type Describe, type Occurrence } from './occurrence.ts'

type MessageType = Exclude<Extract<DeliveredType, `message.${string}`>, 'message.inbound' | 'message.clicked'>

const types: Partial<Record<MessageStatus, MessageType>> = {
  sent: 'message.sent',
  delivered: 'message.delivered',
  read: 'message.read',
  failed: 'message.failed',
}

/** Messages that were deleted meanwhile are left out. */
export const describeStatuses: Describe<'message.status'> = async (db, events) => {
  const wanted = events.filter(({ payload }) => types[payload.status])
  const origins = await readOrigins(db, wanted)
  const keys = wanted.flatMap((event) => {
    const { leg, seqs } = event.payload
    return seqs.map((seq) => ({ id: subjectOf(event), leg, seq }))
  })
  const messages = await readMessages(db, keys, origins)
  return events.map((event) => {
    const id = subjectOf(event)
    const { leg: number, seqs, status } = event.payload
    const origin = origins.get(id)
    const leg = origin?.legs.find((one) => one.leg === number)
    if (!origin || !leg) return []
    return seqs.flatMap((seq) => {
      const row = messages.get(keyOf({ id, leg: number, seq }))
      return row ? present({ origin, leg, seq, row }, status) : []
    })
  })
}

function present(found: Found, status: MessageStatus): Occurrence[] {
  const type = status === 'failed' && found.row.reason === 'expired' ? 'message.expired' : types[status]
  if (!type) return []
  return [{ type, ...presentMessage(found, status), visibleTo: { path: found.origin.path } }]
}
