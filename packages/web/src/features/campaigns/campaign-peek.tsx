import type { Campaign } from '@carillon/contract/campaign-records'
import { useState } from 'react'
import { mayCall } from '../../lib/call.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Denied } from '../../ui/denied.tsx'
import { Failure } from '../../ui/failure.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CampaignPhone } from './campaign-phone.tsx'
import { CampaignTimeline } from './campaign-timeline.tsx'
import { useCampaignDetail } from './channel-calls.ts'
import { FailoverSummary, WaitingSummary } from './failover-summary.tsx'
import { FailureList } from './failure-list.tsx'
import { Funnel } from './funnel.tsx'
import { ResponsesTable } from './responses-table.tsx'

type PeekTab = 'overview' | 'recipients' | 'failures'

/** A campaign in the side sheet: its funnel and phone, its recipients, its failures. */
export function CampaignPeek({ campaign }: { campaign: Campaign }) {
  const [tab, setTab] = useState<PeekTab>('overview')
  const detail = useCampaignDetail({ id: campaign._id, channel: campaign.channel })
  return (
    <>
      <PeekHead campaign={campaign} />
      <Tabs
        label="Campaign"
        inset="sheet"
        value={tab}
        onValueChange={setTab}
        items={[
          { value: 'overview', label: 'Overview' },
          { value: 'recipients', label: 'Recipients' },
          { value: 'failures', label: 'Failures', count: campaign.stats.failed },
        ]}
      />
      <div className="p-5">
        {detail.isError ? <Failure error={detail.error} onRetry={() => void detail.refetch()} /> : null}
        {detail.isPending ? (
          <Loading label="Loading the campaign">
            <SkeletonLines count={8} />
          </Loading>
        ) : null}
        {tab === 'overview' && detail.data ? (
          <div className="flex flex-col gap-6">
            <Funnel stats={campaign.stats} channel={campaign.channel} />
            <WaitingSummary waiting={detail.data.waiting} />
            <FailoverSummary failover={detail.data.failover} />
            <div className="flex justify-center">
              <CampaignPhone campaign={detail.data} />
            </div>
            <CampaignTimeline timeline={detail.data.timeline} />
          </div>
        ) : null}
        {tab === 'recipients' ? <Recipients campaign={campaign} /> : null}
        {tab === 'failures' && detail.data ? <FailureList failures={detail.data.failures} /> : null}
      </div>
    </>
  )
}

function PeekHead({ campaign }: { campaign: Campaign }) {
  return (
    <div className="flex flex-col gap-2 px-5 pt-4 pb-3">
      <div className="flex items-center gap-3">
        <StatusPill status={campaign.status} />
        <span className="min-w-0 truncate text-dense text-muted-foreground">
          {campaign.statusDetail ?? campaign.templateName}
        </span>
        <Button size="sm" className="ml-auto" asChild>
          <AreaLink to="campaigns/individual-reports" search={{ c: campaign._id }}>
            Open report
          </AreaLink>
        </Button>
      </div>
      {campaign.status === 'running' || campaign.status === 'paused' ? (
        <Progress
          percent={campaign.percent}
          label={`${campaign.campaignName} is sent`}
          tone={campaign.status === 'paused' ? 'care' : 'brand'}
        />
      ) : null}
    </div>
  )
}

function Recipients({ campaign }: { campaign: Campaign }) {
  return mayCall('smsCampaigns.responses') ? <ResponsesTable campaign={campaign} inset /> : <Denied />
}
