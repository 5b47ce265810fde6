import type { CampaignDetail } from '@carillon/contract/campaigns'
import { ChevronDown, Download, FileChartColumn, RotateCw } from 'lucide-react'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { Page } from '../../../ui/page.tsx'
import { StatusPill } from '../../../ui/pill.tsx'
import { Select } from '../../../ui/select.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { downloadExcel, downloadNumbers, possibleActions } from '../list/campaign-actions.ts'
import { CampaignReport } from '../report/campaign-report.tsx'
import { useCampaignActions, type CampaignActions } from '../list/use-campaign-actions.tsx'
import { useLiveProgress, withProgress } from '../list/use-live-progress.ts'
import { reportsView } from './reports-view.ts'

/** Report of one campaign: the one in the URL, else the latest started one. */
export function IndividualReportsPage() {
  const [{ campaignId }, setView] = useView(reportsView)
  const campaigns = useApi('campaigns.list', { query: { limit: 50 } })
  const listed = campaigns.data?.campaigns ?? []
  const chosen = campaignId ?? listed.find(({ startedAt }) => startedAt)?._id
  if (campaigns.isPending && !chosen) {
    return (
      <Page title="Individual reports">
        <Loading label="Loading campaigns">
          <SkeletonLines count={8} />
        </Loading>
      </Page>
    )
  }
  if (!chosen) {
    return (
      <Page title="Individual reports">
        {campaigns.isError ? <Failure error={campaigns.error} onRetry={() => void campaigns.refetch()} /> : null}
        {campaigns.data ? (
          <Empty
            icon={FileChartColumn}
            title="No campaign has been sent yet"
            actions={
              <Button size="sm" asChild>
                <AreaLink to="campaigns">See your campaigns</AreaLink>
              </Button>
            }
          >
            The report of a campaign appears here as soon as it starts.
          </Empty>
        ) : null}
      </Page>
    )
  }
  const options = listed.map(({ _id, campaignName }) => ({ value: _id, label: campaignName }))
  return <Report key={chosen} campaignId={chosen} options={options} onChoose={(id) => setView({ campaignId: id })} />
}

type ReportProps = {
  campaignId: string
  options: { value: string; label: string }[]
  onChoose: (campaignId: string) => void
}

function Report({ campaignId, options, onChoose }: ReportProps) {
  const detail = useApi('campaigns.get', { path: { id: campaignId } }, { refetchInterval: 5000 })
  const progress = useLiveProgress()
  const { menu, ask, dialogs } = useCampaignActions()
  const campaign = detail.data && withProgress(detail.data, progress.get(campaignId))
  const choices =
    campaign && !options.some(({ value }) => value === campaignId)
      ? [{ value: campaignId, label: campaign.campaignName }, ...options]
      : options
  return (
    <Page
      title="Individual reports"
      actions={campaign ? <ReportActions campaign={campaign} menu={menu(campaign)} ask={ask} /> : undefined}
    >
      <div className="screen-x flex flex-wrap items-center gap-3 pb-4">
        <Select
          aria-label="Campaign"
          className="max-w-96 min-w-60"
          options={choices}
          value={campaignId}
          onValueChange={onChoose}
        />
        {campaign ? <ChannelMark channel={campaign.channel} /> : null}
        {campaign ? <StatusPill status={campaign.status} /> : null}
        {campaign?.statusDetail ? (
          <span className="text-dense text-muted-foreground">{campaign.statusDetail}</span>
        ) : null}
      </div>
      {detail.isPending ? (
        <Loading label="Loading the report">
          <SkeletonLines count={10} />
        </Loading>
      ) : null}
      {detail.isError ? (
        <Failure error={detail.error} onRetry={() => void detail.refetch()} staleSince={detail.dataUpdatedAt} />
      ) : null}
      {campaign ? (
        <Loaded at={detail.dataUpdatedAt} isStale={detail.isError}>
          <CampaignReport campaign={campaign} />
        </Loaded>
      ) : null}
      {dialogs}
    </Page>
  )
}

type ReportActionsProps = { campaign: CampaignDetail; menu: readonly MenuItem[]; ask: CampaignActions['ask'] }

function ReportActions({ campaign, menu, ask }: ReportActionsProps) {
  return (
    <>
      {possibleActions(campaign).resend ? (
        <Button size="sm" className="max-md:hidden" onClick={() => ask('resend', campaign)}>
          <RotateCw aria-hidden /> Resend to failed…
        </Button>
      ) : null}
      <Menu
        label="Campaign actions"
        trigger={
          <Button size="sm">
            Actions <ChevronDown aria-hidden />
          </Button>
        }
        items={withoutReport(menu)}
      />
      <Menu
        label="Download report"
        trigger={
          <Button size="sm" variant="primary">
            <Download aria-hidden /> Download report <ChevronDown aria-hidden />
          </Button>
        }
        items={[
          { label: 'Excel workbook', onSelect: () => void downloadExcel(campaign) },
          { label: 'Numbers as CSV', onSelect: () => void downloadNumbers(campaign) },
        ]}
      />
    </>
  )
}

/** The report is open already, and its downloads have their own menu. */
const elsewhere: readonly string[] = ['Open report', 'Download report', 'Download numbers']

function withoutReport(items: readonly MenuItem[]): readonly MenuItem[] {
  return items.filter((item) => item === 'separator' || !elsewhere.includes(item.label))
}
