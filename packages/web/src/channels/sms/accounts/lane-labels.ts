import type { LaneState } from '@carillon/contract/senders'
import type { Tone } from '../../../ui/pill.tsx'

/** Labels of connection states. */
const laneLabels: Record<LaneState['status'], { label: string; tone: Tone }> = {
  off: { label: 'Off', tone: 'neutral' },
  connecting: { label: 'Connecting', tone: 'info' },
  connected: { label: 'Connected', tone: 'good' },
  degraded: { label: 'Degraded', tone: 'care' },
  stopped: { label: 'Stopped', tone: 'bad' },
}

/** A refused connection counts as failed, even while it is retried. */
export function laneLabelOf({ status, lastError }: LaneState): { label: string; tone: Tone } {
  return status === 'connecting' && lastError ? { label: 'Not connected', tone: 'bad' } : laneLabels[status]
}

export const bindLabels: Record<LaneState['binds'][number]['status'], { label: string; tone: Tone }> = {
  connecting: { label: 'Connecting', tone: 'info' },
  bound: { label: 'Bound', tone: 'good' },
  closed: { label: 'Closed', tone: 'neutral' },
  refused: { label: 'Refused', tone: 'bad' },
}
