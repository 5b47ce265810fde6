import { LaneState } from '@carillon/contract/senders'
import type { SenderRow } from './senders.queries.ts'

const off: LaneState = { status: 'off', binds: [], allowedPerSecond: 0, sentPerSecond: 0, queued: 0 }

type LaneRow = Pick<SenderRow, 'is_active' | 'state' | 'lane_is_live' | 'queued'>

/** The state the lane last wrote, while a process owns it: a dead process cannot update its state. */
export function presentState(row: LaneRow): LaneState {
  const queued = Number(row.queued)
  if (!row.is_active) return { ...off, queued }
  const written = LaneState.safeParse(row.state)
  if (!written.success) return { ...off, status: 'connecting', queued }
  if (!row.lane_is_live)
    return {
      ...off,
      status: 'connecting',
      queued,
      ...(written.data.lastError ? { lastError: written.data.lastError } : {}),
    }
  return { ...written.data, queued }
}

/** Why this installation never connects to the sender's address; undefined if it may. */
export function findForbidden(row: SenderRow): string | undefined {
  const { status, lastError } = presentState(row)
  return status === 'connecting' && lastError?.code === 'EGRESS_REFUSED' ? lastError.message : undefined
}
