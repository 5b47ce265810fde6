import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { lazyPart } from '../../../lib/lazy-part.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { hasVariants } from '../ab-tests/variant-legs.ts'
import { CampaignPhone } from './campaign-phone.tsx'
import { CampaignTimeline } from './campaign-timeline.tsx'
import { FailoverSummary, PostponedSummary, WaitingSummary } from './failover-summary.tsx'
import { FailureList } from './failure-list.tsx'
import { Funnel } from './funnel.tsx'
import { LegTable } from './leg-table.tsx'
import { OverTime } from './over-time.tsx'
import { OutcomeSummary } from './outcome-summary.tsx'
import { RepliesTable } from './replies-table.tsx'
import { recipientsId, useShownRecipients } from './recipients-link.tsx'
import { LinksPanel } from './links-panel.tsx'
import { ResponsesTable } from './responses-table.tsx'
import { whatHappened } from './what-happened.ts'

const AbPanel = lazyPart(
  () => import('../ab-tests/ab-panel.tsx').then((code) => code.AbPanel),
  <Loading label="Loading the A/B test">
    <SkeletonLines count={4} />
  </Loading>,
)

/** The report of one campaign. */
export function CampaignReport({ campaign }: { campaign: CampaignDetail }) {
  return (
    <div className="screen-x flex flex-col gap-4 pb-6">
      <p className="max-w-[68ch] text-muted-foreground">{whatHappened(campaign)}</p>
      {campaign.abTest ? (
        <Panel title="A/B test" flush>
          <AbPanel campaign={campaign} report={campaign.abTest} />
        </Panel>
      ) : null}
      <OutcomeSummary stats={campaign.stats} channel={campaign.channel} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="Over time">
            <OverTime points={campaign.overTime} />
          </Panel>
          {campaign.legs.length > 1 ? (
            <Panel title={hasVariants(campaign.legs) ? 'Messages' : 'Channels'} flush>
              <LegTable campaign={campaign} />
            </Panel>
          ) : null}
          <LinksPanel campaignId={campaign._id}>{(content) => <Panel title="Links">{content}</Panel>}</LinksPanel>
          <Panel title="Failures">
            <FailureList failures={campaign.failures} />
          </Panel>
          <Panel title="Replies">
            <RepliesTable campaign={campaign} />
          </Panel>
          <Panel title="Recipients" id={recipientsId} flush>
            {mayCall('campaigns.responses') ? <Recipients campaign={campaign} /> : <Denied />}
          </Panel>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="Funnel">
            <Funnel
              stats={campaign.stats}
              channel={campaign.channel}
              campaignId={campaign._id}
              hasLinks={campaign.hasLinks}
            />
          </Panel>
          {campaign.waiting ? (
            <Panel title="Waiting">
              <WaitingSummary waiting={campaign.waiting} channel={campaign.channel} />
            </Panel>
          ) : null}
          {campaign.postponed ? (
            <Panel title="Postponed">
              <PostponedSummary postponed={campaign.postponed} />
            </Panel>
          ) : null}
          {campaign.failover ? (
            <Panel title="Failover">
              <FailoverSummary campaign={campaign} />
            </Panel>
          ) : null}
          <Panel title="Message">
            <div className="flex justify-center">
              <CampaignPhone campaign={campaign} />
            </div>
          </Panel>
          <Panel title="Timeline">
            <CampaignTimeline timeline={campaign.timeline} />
          </Panel>
        </div>
      </div>
    </div>
  )
}

function Recipients({ campaign }: { campaign: CampaignDetail }) {
  const [shown, clear] = useShownRecipients()
  // Another selection begins at its first page.
  return <ResponsesTable key={JSON.stringify(shown ?? null)} campaign={campaign} shown={shown} onClear={clear} />
}

type PanelProps = { title: string; id?: string; flush?: boolean; children: ReactNode }

function Panel({ title, id, flush = false, children }: PanelProps) {
  return (
    <section className="min-w-0 rounded-lg border border-border bg-card">
      <h2
        {...(id ? { id, tabIndex: -1 } : {})}
        className="flex min-h-12 scroll-mt-4 items-center px-4 font-semibold outline-none"
      >
        {title}
      </h2>
      <div className={flush ? 'pb-1' : 'px-4 pb-4'}>{children}</div>
    </section>
  )
}
