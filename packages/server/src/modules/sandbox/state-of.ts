import type { FailureClass, MessageStatus } from '@carillon/contract/campaign-records'
import { fateOf } from './fates.ts'

/** What is known of a message at a time. */
export type TestState = {
  status: Extract<MessageStatus, 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'cancelled'> | 'scheduled'
  reason?: FailureClass
  code?: string
  detail?: string
  sentAt?: Date
  deliveredAt?: Date
  readAt?: Date
  failedAt?: Date
}

type Timed = { phone: number; isLeg: boolean; createdAt: Date; sendAt: Date | null; cancelledAt: Date | null }

/** The reports that have come by now. */
export function stateOf({ phone, isLeg, createdAt, sendAt, cancelledAt }: Timed, now: Date): TestState {
  if (cancelledAt) return { status: 'cancelled' }
  if (sendAt && sendAt > now) return { status: 'scheduled' }
  const begin = (sendAt ?? createdAt).getTime()
  const state: TestState = { status: 'queued' }
  for (const step of fateOf({ phone, isLeg }).steps) {
    const at = new Date(begin + step.afterMs)
    if (at > now) break
    state.status = step.status
    state[`${step.status}At`] = at
    if (step.status === 'failed') {
      const { reason, code, detail } = step
      Object.assign(state, { reason, code, detail })
    }
  }
  return state
}
