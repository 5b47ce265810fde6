import type { Campaign } from '@carillon/contract/campaign-records'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { figuresOf } from '@carillon/contract/figures'
import { useState } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useIsMobile } from '../../../lib/use-is-mobile.ts'
import { Denied } from '../../../ui/denied.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { abPhaseText } from '../ab-tests/ab-phase-note.tsx'
import { ReportOfTest } from '../ab-tests/report-of-test.tsx'
import { CampaignFacts } from '../report/campaign-facts.tsx'
import { CampaignPhone } from '../report/campaign-phone.tsx'
import { CampaignProgress, PeekFigures } from './campaign-progress.tsx'
import { CampaignTimeline } from '../report/campaign-timeline.tsx'
import { FailoverSummary, PostponedSummary, WaitingSummary } from '../report/failover-summary.tsx'
import { FailureList } from '../report/failure-list.tsx'
import { Funnel } from '../report/funnel.tsx'
import { RepliesTable } from '../report/replies-table.tsx'
import { ResponsesTable } from '../report/responses-table.tsx'
import { reservedOf } from '../report/spent.ts'

type PeekTab = 'overview' | 'recipients' | 'replies' | 'failures'

/** A campaign in the side sheet: figures, phone, recipients and failures. */
export function CampaignPeek({ campaign }: { campaign: Campaign }) {
  const [tab, setTab] = useState<PeekTab>('overview')
  const detail = useApi('campaigns.get', { path: { id: campaign._id } }, { refetchInterval: 5000 })
  return (
    <>
      <Tabs
        label="Campaign"
        inset="sheet"
        value={tab}
        onValueChange={setTab}
        items={[
          { value: 'overview', label: 'Overview' },
          { value: 'recipients', label: 'Recipients' },
          { value: 'replies', label: 'Replies', count: campaign.stats.replied },
          { value: 'failures', label: 'Failures', count: figuresOf(campaign.stats).failed },
        ]}
      />
      {detail.isError ? (
        <Failure error={detail.error} onRetry={() => void detail.refetch()} staleSince={detail.dataUpdatedAt} />
      ) : null}
      {detail.isPending ? (
        <div className="p-5">
          <Loading label="Loading the campaign">
            <SkeletonLines count={8} />
          </Loading>
        </div>
      ) : null}
      {tab === 'overview' && detail.data ? (
        <Loaded at={detail.dataUpdatedAt} isStale={detail.isError}>
          <Overview campaign={campaign} detail={detail.data} />
        </Loaded>
      ) : null}
      {tab === 'recipients' ? (
        <div className="p-5">
          <Recipients campaign={detail.data ?? campaign} />
        </div>
      ) : null}
      {tab === 'replies' ? (
        <div className="p-5">
          <RepliesTable campaign={campaign} />
        </div>
      ) : null}
      {tab === 'failures' && detail.data ? (
        <div className="px-5 py-2">
          <FailureList failures={detail.data.failures} />
        </div>
      ) : null}
    </>
  )
}

/** The row is live; the rest is as last loaded. */
function Overview({ campaign, detail }: { campaign: Campaign; detail: CampaignDetail }) {
  const { stats, channel } = campaign
  const isMobile = useIsMobile()
  const hasBegun = campaign.startedAt !== null || stats.submitted > 0
  // The end of a test depends on its winner.
  const etaSeconds = abPhaseText(detail) === undefined ? detail.etaSeconds : null
  const endsAt = campaign.status === 'running' ? endOf(etaSeconds) : undefined
  return (
    <div className="flex flex-col">
      <CampaignProgress campaign={campaign} etaSeconds={etaSeconds} />
      {hasBegun ? <PeekFigures campaign={campaign} /> : null}
      <div className="flex flex-col gap-6 p-5">
        <ReportOfTest campaign={detail} />
        {hasBegun ? (
          <section>
            <h3 className="mb-2 font-semibold">Funnel</h3>
            <Funnel stats={stats} channel={channel} hasLinks={detail.hasLinks} />
          </section>
        ) : null}
        <WaitingSummary waiting={detail.waiting} channel={detail.channel} />
        <PostponedSummary postponed={detail.postponed} />
        <FailoverSummary short campaign={detail} />
        <div className="grid gap-6 md:grid-cols-[180px_minmax(0,1fr)]">
          <div className="flex justify-center max-md:order-last">
            <CampaignPhone campaign={detail} scale={isMobile ? 0.6 : 0.5} />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <section>
              <h3 className="mb-2 font-semibold">Timeline</h3>
              <CampaignTimeline timeline={detail.timeline} endsAt={endsAt} />
            </section>
            <CampaignFacts campaign={detail} reserved={reservedOf(detail, campaign)} />
          </div>
        </div>
      </div>
    </div>
  )
}

function endOf(etaSeconds: number | null): Date | undefined {
  return etaSeconds === null ? undefined : new Date(Date.now() + etaSeconds * 1000)
}

function Recipients({ campaign }: { campaign: Campaign | CampaignDetail }) {
  return mayCall('campaigns.responses') ? <ResponsesTable campaign={campaign} inset /> : <Denied />
}
