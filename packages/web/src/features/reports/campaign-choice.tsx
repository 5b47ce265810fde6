import type { ReportChannel } from '@carillon/contract/report-file-records'
import { useState } from 'react'
import { formatDate } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { SearchList, SearchSelect } from '../../ui/search-list.tsx'
import type { ReportDraft } from './report-draft.ts'

type Campaign = ReportDraft['campaign']

type CampaignChoiceProps = { channel: ReportChannel; value: Campaign; onValueChange: (campaign: Campaign) => void }

const all = { value: 'all', label: 'All campaigns' }

/** One campaign, found by name, or all. */
export function CampaignChoice({ channel, value, onValueChange }: CampaignChoiceProps) {
  return (
    <SearchSelect label="Campaign" shown={value?.name ?? all.label}>
      {(close) => (
        <Choices
          channel={channel}
          value={value}
          onValueChange={(campaign) => {
            close()
            onValueChange(campaign)
          }}
        />
      )}
    </SearchSelect>
  )
}

function Choices({ channel, value, onValueChange }: CampaignChoiceProps) {
  const [typed, setTyped] = useState('')
  const { campaigns, total, none } = useCampaigns(useSettled(typed.trim()), channel)
  const options = campaigns.map(({ _id, campaignName, createdAt }) => ({
    value: _id,
    label: campaignName,
    detail: formatDate(createdAt),
  }))
  return (
    <SearchList
      label="Campaigns"
      placeholder="Search campaigns"
      typed={typed}
      onTyped={setTyped}
      options={typed ? options : [all, ...options]}
      value={value?._id ?? all.value}
      onChoose={(id) => {
        const chosen = campaigns.find(({ _id }) => _id === id)
        onValueChange(chosen && { _id: id, name: chosen.campaignName })
      }}
      none={none}
      foot={total > options.length ? 'Type to search all campaigns' : undefined}
    />
  )
}

function useCampaigns(search: string, channel: ReportChannel) {
  const { data, error, isPending } = useApi(
    'campaigns.list',
    { query: { limit: 20, ...(search ? { search } : {}), ...(channel === 'all' ? {} : { channel }) } },
    { keepPrevious: true },
  )
  return {
    campaigns: data?.campaigns ?? [],
    total: data?.totalCampaigns ?? 0,
    none: isPending ? 'Loading campaigns…' : (error?.message ?? 'No campaign matches'),
  }
}
