import type { FailoverCondition } from '@carillon/contract/draft-legs'
import { defaultLegSeconds } from '@carillon/contract/public-message-records'
import { findProvider, getChannel } from '../../channels/index.ts'
import { entranceOf } from '../campaigns/index.ts'
import type { LegEntrance } from '../messages/index.ts'
import type { SenderRow } from './choose-sender.ts'

const usual: readonly FailoverCondition[] = [
  { type: 'failed' },
  { type: 'undelivered_after', afterSeconds: defaultLegSeconds },
]

/** How the message before has to end, which `before` sends. */
export function entranceOfLeg(
  conditions: readonly FailoverCondition[] = usual,
  before: Pick<SenderRow, 'provider' | 'channel'> | undefined,
): LegEntrance {
  const { reasons, afterSeconds, unless } = entranceOf(conditions)
  const provider = before && findProvider(before.provider)
  const isTimed = afterSeconds !== null && unless === 'delivered'
  const acceptsTtl = before && getChannel(before.channel).acceptsTtl && !provider?.ignoresTtl
  return {
    // The message before expires when its time is over, which its provider may report as its failure.
    reasons: isTimed ? [...new Set([...reasons, 'expired', 'revoked'])] : reasons,
    afterSeconds,
    unless,
    graceSeconds: acceptsTtl ? (provider?.revokes?.graceSeconds ?? 0) : 0,
  }
}
