import type { Campaign } from '@carillon/contract/campaign-records'
import { Ban, Pause } from 'lucide-react'
import { call, mayCall } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import type { BulkLabels } from '../../../ui/data-screen/bulk-labels.ts'
import { BulkWrite } from '../../../ui/data-screen/bulk-write.tsx'
import { possibleActions } from './campaign-actions.ts'
import { showingCampaigns } from '../showing-campaigns.ts'

type CampaignBulkProps = { campaigns: readonly Campaign[]; onDone: () => void }

const discard: BulkLabels = {
  label: 'Discard',
  icon: Ban,
  title: (count) => `Discard ${countOf(count, 'campaign')}?`,
  effect:
    'Campaigns that have not started are not sent. Running ones stop; messages already sent cannot be recalled. Any unused reserved amounts return to the balance.',
  action: (count) => `Discard ${countOf(count, 'campaign')}`,
}

const pause: BulkLabels = {
  label: 'Pause',
  icon: Pause,
  title: (count) => `Pause ${countOf(count, 'campaign')}?`,
  effect: 'Nothing more is sent until you resume them. Messages already sent cannot be recalled.',
  action: (count) => `Pause ${countOf(count, 'campaign')}`,
}

/** Actions for several campaigns. */
export function CampaignBulk({ campaigns, onDone }: CampaignBulkProps) {
  if (!mayCall('campaigns.discard')) return null
  const common = {
    rows: campaigns,
    nameOf: ({ campaignName }: Campaign) => campaignName,
    refreshes: showingCampaigns,
    onDone,
  }
  return (
    <>
      <BulkWrite
        {...common}
        words={pause}
        onlyIfPossible
        refusal={(campaign) => (possibleActions(campaign).pause ? undefined : 'Not running')}
        write={({ _id }, options) => call('campaigns.pause', { path: { id: _id } }, options)}
      />
      <BulkWrite
        {...common}
        words={discard}
        refusal={(campaign) => (possibleActions(campaign).discard ? undefined : 'Already ended')}
        write={({ _id }, options) => call('campaigns.discard', { path: { id: _id } }, options)}
      />
    </>
  )
}
