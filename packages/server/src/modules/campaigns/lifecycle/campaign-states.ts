import type { CampaignStatus } from '@carillon/contract/campaign-records'
import { conflict } from '../../../lib/problem.ts'

/** All transitions. Ended states are final; a failed validation can be corrected and repeated. */
export const nextStatuses: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ['validating', 'discarded'],
  validating: ['ready', 'failed', 'discarded'],
  ready: ['draft', 'pending_approval', 'scheduled', 'queued', 'discarded'],
  pending_approval: ['ready', 'scheduled', 'queued', 'discarded'],
  scheduled: ['draft', 'ready', 'queued', 'discarded'],
  queued: ['running', 'paused', 'completed', 'cancelled', 'failed'],
  running: ['paused', 'completed', 'cancelled', 'failed'],
  paused: ['queued', 'cancelled'],
  completed: [],
  cancelled: [],
  discarded: [],
  failed: ['draft', 'validating', 'discarded'],
}

/** A campaign that has spent money is cancelled; before that it is discarded. */
export const startedStatuses: readonly CampaignStatus[] = ['queued', 'running', 'paused', 'completed', 'cancelled']

export function canBecome(current: CampaignStatus, next: CampaignStatus): boolean {
  return nextStatuses[current].includes(next)
}

export function assertCanBecome(current: CampaignStatus, next: CampaignStatus): void {
  if (!canBecome(current, next)) throw conflict(`A campaign that is ${words[current]} cannot ${actions[next]}`)
}

const words: Record<CampaignStatus, string> = {
  draft: 'a draft',
  validating: 'being validated',
  ready: 'ready',
  pending_approval: 'waiting for approval',
  scheduled: 'scheduled',
  queued: 'waiting for its turn',
  running: 'being sent',
  paused: 'paused',
  completed: 'completed',
  cancelled: 'cancelled',
  discarded: 'discarded',
  failed: 'failed',
}

const actions: Record<CampaignStatus, string> = {
  draft: 'be edited',
  validating: 'be validated',
  ready: 'be made ready',
  pending_approval: 'be handed in for approval',
  scheduled: 'be scheduled',
  queued: 'be started',
  running: 'be sent',
  paused: 'be paused',
  completed: 'be completed',
  cancelled: 'be cancelled',
  discarded: 'be discarded',
  failed: 'fail',
}
