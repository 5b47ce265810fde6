import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { CampaignDraft, DraftLeg, FailoverCondition } from '@carillon/contract/draft-legs'
import type { LegEditor } from '../../../channels/channel-campaigns.ts'
import { accountZone, formatDay } from '../../../lib/format.ts'

export type Legs = CampaignDraft['legs']

type Blank = { channel: Channel; editor: Pick<LegEditor, 'emptyValues'> }

export function blankDraft(first: Blank, now = new Date()): CampaignDraft {
  return {
    campaignName: `${channelTraits[first.channel].label} campaign, ${formatDay(now)}`,
    audienceId: null,
    schedule: { timezone: accountZone() },
    skipRecent: null,
    frequencyCap: 'respect',
    splitOverDays: false,
    legs: [{ ...blankLeg(first), isEnabled: true }],
  }
}

/** An empty leg; it is not sent before it is switched on. */
export function blankLeg({ channel, editor }: Blank): DraftLeg {
  return {
    channel,
    senderId: null,
    templateId: null,
    values: editor.emptyValues,
    isEnabled: false,
    entryConditions: [],
  }
}

/** The legs with the first one changed. */
export function withFirst([first, ...others]: Legs, patch: Partial<DraftLeg>): Legs {
  return [{ ...first, ...patch }, ...others]
}

/** The legs with the second one changed, or added if there is none. */
export function withSecond([first, second, ...others]: Legs, patch: Partial<DraftLeg>, blank: DraftLeg): Legs {
  return [first, { ...(second ?? blank), ...patch }, ...others]
}

/** Default failover conditions: not on the channel, or not delivered within ten minutes. */
export const firstConditions: readonly FailoverCondition[] = [
  { type: 'not_reachable_on_channel' },
  { type: 'undelivered_after', afterSeconds: 600 },
]
