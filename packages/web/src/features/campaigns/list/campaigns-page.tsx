import { CampaignStatus, type Campaign } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { useQuery } from '@tanstack/react-query'
import { Download, Megaphone } from 'lucide-react'
import { useState } from 'react'
import { ownWizards } from '../../../channels/campaign-wizards.ts'
import { channels } from '../../../channels/index.ts'
import { NewCampaign } from '../../../channels/new-campaign.tsx'
import { onlyChannelOf } from '../../../channels/own-channels.ts'
import { currentUser, useUser } from '../../../lib/session.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataScreen } from '../../../ui/data-screen/data-screen.tsx'
import { isActive, type Filter } from '../../../ui/data-screen/filter.ts'
import { isElsewhere } from '../../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ExamplePhones } from '../../../channels/phone/example-phones.tsx'
import { SeeExample } from '../../../channels/phone/see-example.tsx'
import { campaignStatusLabel } from '../../../ui/pill.tsx'
import { toast } from '../../../ui/toast.tsx'
import { reportsView } from '../numbers/reports-view.ts'
import { CampaignBulk } from './campaign-bulk.tsx'
import { CampaignCard, campaignColumns } from './campaign-columns.tsx'
import { campaignsView, channelOf, queryOf, sorts, type CampaignsView, type CampaignTab } from './campaigns-view.ts'
import { peekOfCampaign } from './peek-of-campaign.tsx'
import { useCampaignList, type CampaignList } from './use-campaign-list.ts'
import { useCampaignActions } from './use-campaign-actions.tsx'
import { exportCampaigns } from '../all-campaigns/export-campaigns.ts'
import { useLiveProgress, withProgress } from './use-live-progress.ts'

/** The campaigns in scope, updated live. */
export function CampaignsPage() {
  const [view, setView] = useView(campaignsView)
  const { source, total, totalPages, counts } = useCampaignList(view)
  const progress = useLiveProgress()
  const go = useGo()
  const { menu, ask, dialogs } = useCampaignActions()
  const filters = useFilters(view, setView)
  const rows = source.rows?.map((campaign) => withProgress(campaign, progress.get(campaign._id)))
  const elsewhere = useCampaignElsewhere(view.openId, rows)
  const tabItems = tabsOf(counts)
  const isUnfiltered = view.tab === 'all' && !view.search && !filters.some(isActive)

  return (
    <>
      <DataScreen<Campaign>
        id="campaigns"
        title="Campaigns"
        noun="campaigns"
        count={counts.all}
        actions={
          <>
            <ExportButton view={view} />
            <NewCampaign />
          </>
        }
        tabs={{
          label: 'Campaigns by channel',
          value: view.tab,
          items: tabItems,
          onValueChange: (value) =>
            setView({
              tab: tabItems.find((tab) => tab.value === value)?.value ?? 'all',
              templateId: undefined,
              page: 1,
            }),
        }}
        search={{
          label: 'Search campaigns',
          value: view.search,
          onValueChange: (search) => setView({ search, page: 1 }, { replace: true }),
        }}
        filters={filters}
        source={{ ...source, rows }}
        columns={campaignColumns}
        rowId={({ _id }) => _id}
        rowName={({ campaignName }) => campaignName}
        card={(campaign) => <CampaignCard campaign={campaign} />}
        sort={{ column: view.sort, direction: view.direction }}
        onSort={({ column, direction }) =>
          setView({ sort: sorts.find((sort) => sort === column) ?? 'created', direction, page: 1 })
        }
        rowMenu={menu}
        bulk={(chosen, clear) => (
          <>
            <ExportButton view={view} ids={new Set(chosen.map(({ _id }) => _id))} />
            <CampaignBulk campaigns={chosen} onDone={clear} />
          </>
        )}
        onOpen={({ _id }) => go('campaigns/individual-reports', writeView(reportsView, { campaignId: _id }))}
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          render: (campaign) => peekOfCampaign(campaign, { menu: menu(campaign), ask }),
          elsewhere: elsewhere && withProgress(elsewhere, progress.get(elsewhere._id)),
        }}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
          totalPages,
          total,
        }}
        empty={
          isUnfiltered ? <FirstCampaign /> : <NoneInTab tab={view.tab} onShowAll={() => setView({ tab: 'all' })} />
        }
      />
      {dialogs}
    </>
  )
}

/** The open campaign, if it is on another page. */
function useCampaignElsewhere(id: string | undefined, rows: readonly Campaign[] | undefined): Campaign | undefined {
  const ids = rows?.map(({ _id }) => _id)
  const enabled = isElsewhere(id, ids)
  const read = useApi('campaigns.get', { path: { id: id ?? '' } }, { enabled, refetchInterval: 5000 })
  return enabled ? read.data : undefined
}

/** Exports the list, or the selected rows. */
function ExportButton({ view, ids }: { view: CampaignsView; ids?: ReadonlySet<string> }) {
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      await exportCampaigns(queryOf(view, onlyChannelOf(currentUser()?.type).channel), ids)
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'Failed to fetch campaigns')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="sm" variant={ids ? 'ghost' : 'outline'} loading={isBusy} onClick={() => void save()}>
      <Download aria-hidden /> <span className={ids ? undefined : 'max-md:sr-only'}>Export</span>
    </Button>
  )
}

function tabsOf(counts: CampaignList['counts']): { value: CampaignTab; label: string; count?: number | undefined }[] {
  return [
    { value: 'all', label: 'All' },
    ...ownWizards().map(({ channel }) => ({
      value: channel,
      label: channelTraits[channel].label,
      count: counts[channel],
    })),
    { value: 'drafts', label: 'Drafts', count: counts.drafts },
  ]
}

function FirstCampaign() {
  return (
    <Empty
      icon={Megaphone}
      picture={<ExamplePhones />}
      title="Send your first campaign"
      actions={
        <>
          <NewCampaign variant="outline" />
          <SeeExample />
        </>
      }
    >
      Add your numbers, choose a template, and preview the message and its cost before sending.
    </Empty>
  )
}

function nothingIn(tab: CampaignTab): string {
  if (tab === 'all') return 'No campaigns'
  return tab === 'drafts' ? 'No drafts' : `No ${channelTraits[tab].label} campaigns yet`
}

function NoneInTab({ tab, onShowAll }: { tab: CampaignTab; onShowAll: () => void }) {
  return (
    <Empty
      icon={Megaphone}
      title={nothingIn(tab)}
      actions={
        <>
          <Button onClick={onShowAll}>Show all campaigns</Button>
          {tab === 'drafts' ? null : <NewCampaign variant="outline" />}
        </>
      }
    />
  )
}

type SetView = (patch: Partial<CampaignsView>) => void

function useFilters(view: CampaignsView, setView: SetView): Filter[] {
  const options = useTemplates(channelOf(view, onlyChannelOf(useUser()?.type).channel))
  const status: Filter = {
    id: 'status',
    label: 'Status',
    kind: 'choices',
    options: CampaignStatus.options
      .filter((value) => value !== 'pending_approval')
      .map((value) => ({ value, label: campaignStatusLabel(value) })),
    value: view.status,
    onChange: (values) =>
      setView({ status: CampaignStatus.options.filter((value) => values.includes(value)), page: 1 }),
  }
  const template: Filter = {
    id: 'template',
    label: 'Template',
    kind: 'choice',
    options,
    value: view.templateId,
    onChange: (templateId) => setView({ templateId, page: 1 }),
  }
  const created: Filter = {
    id: 'created',
    label: 'Created',
    kind: 'range',
    value: view.range,
    onChange: (range) => setView({ range, page: 1 }),
  }
  return [...(view.tab === 'drafts' ? [] : [status]), ...(options.length > 0 ? [template] : []), created]
}

/** A channel's templates, to filter campaigns by. */
function useTemplates(channel: Channel | undefined): readonly { value: string; label: string }[] {
  const listTemplates = channel && channels[channel].campaigns?.listTemplates
  const found = useQuery({
    queryKey: ['templates of campaigns', channel],
    queryFn: ({ signal }) => listTemplates?.(signal) ?? [],
    enabled: listTemplates !== undefined,
    staleTime: 60_000,
  })
  return found.data ?? []
}
