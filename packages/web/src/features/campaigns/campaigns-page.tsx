import { CampaignStatus, type Campaign } from '@carillon/contract/campaign-records'
import { Megaphone, Plus } from 'lucide-react'
import { useState } from 'react'
import { mayCall } from '../../lib/call.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { AreaLink, useGo } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { sourceOf } from '../../ui/data-screen/columns.ts'
import { DataScreen } from '../../ui/data-screen/data-screen.tsx'
import { isActive, type Filter } from '../../ui/data-screen/filter.ts'
import { Empty } from '../../ui/empty.tsx'
import { campaignStatusLabel } from '../../ui/pill.tsx'
import { CampaignCard, campaignColumns } from './campaign-columns.tsx'
import { CampaignPeek } from './campaign-peek.tsx'
import { campaignsView, queryOf, sorts, tabs, type CampaignsView } from './campaigns-view.ts'
import { DiscardDialog } from './discard-dialog.tsx'
import { useCampaignMenu } from './use-campaign-menu.ts'
import { useLiveProgress, withProgress } from './use-live-progress.ts'

/** Every campaign within reach, live. */
export function CampaignsPage() {
  const [view, setView] = useView(campaignsView)
  const [discarding, setDiscarding] = useState<Campaign>()
  const campaigns = useApi(
    'smsCampaigns.list',
    { query: queryOf(view) },
    { keepPrevious: true, refetchInterval: 15_000 },
  )
  const progress = useLiveProgress()
  const go = useGo()
  const menu = useCampaignMenu({ onDiscard: setDiscarding })
  const filters = useFilters(view, setView)
  const rows = campaigns.data?.campaigns.map((campaign) => withProgress(campaign, progress.get(campaign._id)))
  const counts = campaigns.data?.statusCounts
  const isUnfiltered = view.t === 'all' && !view.q && !filters.some(isActive)

  return (
    <>
      <DataScreen<Campaign>
        id="campaigns"
        title="Campaigns"
        noun="campaigns"
        count={counts && totalOf(counts)}
        actions={mayCall('drafts.create') ? <NewCampaign /> : undefined}
        tabs={{
          label: 'Campaigns by channel',
          value: view.t,
          items: tabsOf(counts),
          onValueChange: (value) => setView({ t: tabs.find((tab) => tab === value) ?? 'all', p: 1 }),
        }}
        search={{
          label: 'Search campaigns',
          value: view.q,
          onValueChange: (q) => setView({ q, p: 1 }, { replace: true }),
        }}
        filters={filters}
        source={sourceOf(campaigns, rows)}
        columns={campaignColumns}
        rowId={({ _id }) => _id}
        rowName={({ campaignName }) => campaignName}
        card={(campaign) => <CampaignCard campaign={campaign} />}
        sort={{ column: view.s, direction: view.d }}
        onSort={({ column, direction }) =>
          setView({ s: sorts.find((sort) => sort === column) ?? 'created', d: direction, p: 1 })
        }
        rowMenu={menu}
        onOpen={({ _id }) => go('campaigns/individual-reports', { c: _id })}
        peek={{
          id: view.c,
          onPeek: (c) => setView({ c }),
          render: (campaign) => ({
            title: campaign.campaignName,
            name: campaign.campaignName,
            body: <CampaignPeek campaign={campaign} />,
          }),
        }}
        paging={{
          page: view.p,
          pageSize: view.n,
          onPage: (p) => setView({ p }),
          onPageSize: (n) => setView({ n, p: 1 }),
          totalPages: campaigns.data?.totalPages,
          total: campaigns.data?.totalCampaigns,
        }}
        empty={isUnfiltered ? <FirstCampaign /> : <NoDrafts onShowAll={() => setView({ t: 'all' })} />}
      />
      <DiscardDialog campaign={discarding} onClose={() => setDiscarding(undefined)} />
    </>
  )
}

type StatusCounts = Partial<Record<CampaignStatus, number>>

function tabsOf(counts: StatusCounts | undefined) {
  return [
    { value: 'all', label: 'All' },
    { value: 'sms', label: 'SMS', count: counts && totalOf(counts) },
    { value: 'drafts', label: 'Drafts', count: counts && (counts.draft ?? 0) + (counts.ready ?? 0) },
  ]
}

function totalOf(counts: StatusCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function NewCampaign({ variant = 'primary' }: { variant?: 'primary' | 'outline' }) {
  return (
    <Button variant={variant} size="sm" asChild>
      <AreaLink to="campaigns/sms-campaign-creation">
        <Plus aria-hidden /> New campaign
      </AreaLink>
    </Button>
  )
}

function FirstCampaign() {
  return (
    <Empty
      icon={Megaphone}
      title="Send your first campaign"
      actions={mayCall('drafts.create') ? <NewCampaign variant="outline" /> : undefined}
    >
      Bring a file of numbers, choose a template, see the cost, and watch it arrive.
    </Empty>
  )
}

function NoDrafts({ onShowAll }: { onShowAll: () => void }) {
  return <Empty icon={Megaphone} title="No drafts" actions={<Button onClick={onShowAll}>Show all campaigns</Button>} />
}

type SetView = (patch: Partial<CampaignsView>) => void

function useFilters(view: CampaignsView, setView: SetView): Filter[] {
  const templates = useApi('smsTemplates.list', { query: { limit: 100 } }, { staleTime: 60_000 })
  const options = templates.data?.templates.map(({ _id, name }) => ({ value: _id, label: name })) ?? []
  const status: Filter = {
    id: 'status',
    label: 'Status',
    kind: 'choices',
    options: CampaignStatus.options
      .filter((value) => value !== 'pending_approval')
      .map((value) => ({ value, label: campaignStatusLabel(value) })),
    value: view.f,
    onChange: (values) => setView({ f: CampaignStatus.options.filter((value) => values.includes(value)), p: 1 }),
  }
  const template: Filter = {
    id: 'template',
    label: 'Template',
    kind: 'choice',
    options,
    value: view.m,
    onChange: (m) => setView({ m, p: 1 }),
  }
  const created: Filter = {
    id: 'created',
    label: 'Created',
    kind: 'range',
    value: view.r,
    onChange: (r) => setView({ r, p: 1 }),
  }
  return [...(view.t === 'drafts' ? [] : [status]), ...(options.length > 0 ? [template] : []), created]
}
