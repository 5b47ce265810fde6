import type { AnyCampaign } from '@carillon/contract/campaign-lists'
import { CampaignStatus } from '@carillon/contract/campaign-records'
import { Channel } from '@carillon/contract/channels'
import { Download, HeartPulse, Megaphone } from 'lucide-react'
import { useState } from 'react'
import { allCampaignsTabs } from '../../../lib/links.ts'
import { useAccountChoices } from '../../../lib/use-account-choices.ts'
import { useUser } from '../../../lib/session.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { AccountsChoice } from '../../../ui/accounts-choice.tsx'
import { Button } from '../../../ui/button.tsx'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { sourceOf } from '../../../ui/data-screen/columns.ts'
import { DataScreen } from '../../../ui/data-screen/data-screen.tsx'
import type { Filter } from '../../../ui/data-screen/filter.ts'
import { Empty } from '../../../ui/empty.tsx'
import { campaignStatusLabel } from '../../../ui/pill.tsx'
import { toast } from '../../../ui/toast.tsx'
import { exportCampaigns } from './export-campaigns.ts'
import { AllCampaignsCard, allCampaignsColumns } from './all-campaigns-columns.tsx'
import { allCampaignsPeek } from './all-campaigns-peek.tsx'
import { helpPercent, queryOf, allCampaignsView, type AllCampaignsView } from './all-campaigns-view.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The campaigns of every account below, read-only. */
export function AllCampaignsPage() {
  const user = useUser()
  const [view, setView] = useView(allCampaignsView)
  const campaigns = useCampaigns(view)
  return (
    <DataScreen<AnyCampaign>
      id="watched-campaigns"
      title="Campaigns"
      noun="campaigns"
      count={campaigns.data?.totalCampaigns}
      actions={<Actions view={view} onAccounts={(accountIds) => setView({ accountIds, page: 1 })} />}
      tabs={{
        label: 'Campaigns by status',
        value: view.tab,
        items: [
          { value: 'all', label: 'All' },
          { value: 'under_way', label: 'Active' },
          { value: 'needs_help', label: 'Needs attention' },
        ],
        onValueChange: (value) => setView({ tab: allCampaignsTabs.find((tab) => tab === value) ?? 'all', page: 1 }),
      }}
      search={{
        label: 'Search by name or id',
        value: view.search,
        onValueChange: (search) => setView({ search, page: 1 }, { replace: true }),
      }}
      filters={filtersOf(view, setView)}
      source={sourceOf(campaigns, campaigns.data?.campaigns)}
      columns={allCampaignsColumns}
      rowId={({ _id }) => _id}
      rowName={({ campaignName }) => campaignName}
      card={(campaign) => <AllCampaignsCard campaign={campaign} />}
      peek={{
        id: view.openId,
        onPeek: (openId) => setView({ openId }),
        render: allCampaignsPeek,
      }}
      paging={{
        page: view.page,
        pageSize: view.pageSize,
        onPage: (page) => setView({ page }),
        onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
        totalPages: campaigns.data?.totalPages,
        total: campaigns.data?.totalCampaigns,
      }}
      empty={
        <Nothing
          view={view}
          isReseller={user?.type === 'reseller'}
          onAll={() => setView({ tab: 'all', accountIds: [] })}
        />
      }
    />
  )
}

/** Searches by id if one was typed, else by the filters. */
function useCampaigns(view: AllCampaignsView) {
  const isId = uuid.test(view.search)
  const options = { keepPrevious: true, refetchInterval: 15_000 }
  const byId = useApi('campaigns.search', { query: { query: view.search } }, { ...options, enabled: isId })
  const listed = useApi('campaigns.list', { query: queryOf(view) }, { ...options, enabled: !isId })
  return isId ? byId : listed
}

type ActionsProps = { view: AllCampaignsView; onAccounts: (ids: readonly string[]) => void }

function Actions({ view, onAccounts }: ActionsProps) {
  const { choices, onSearch } = useAccountChoices('reseller,manager')
  const [saving, setSaving] = useState(false)

  async function save() {
    setSaving(true)
    try {
      await exportCampaigns(queryOf(view))
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'Failed to fetch campaigns')
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <AccountsChoice
        noun="accounts"
        nothing="All accounts"
        chosen={view.accountIds}
        onChange={onAccounts}
        choices={choices}
        onSearch={onSearch}
      />
      <Button size="sm" loading={saving} onClick={() => void save()}>
        <Download aria-hidden /> <span className="max-md:sr-only">Export</span>
      </Button>
    </>
  )
}

function filtersOf(view: AllCampaignsView, setView: (patch: Partial<AllCampaignsView>) => void): readonly Filter[] {
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
  return [
    ...(view.tab === 'under_way' ? [] : [status]),
    {
      id: 'channel',
      label: 'Channel',
      kind: 'choice',
      options: Channel.options.map((value) => ({ value, label: channelLabel(value) })),
      value: view.channel === 'any' ? undefined : view.channel,
      onChange: (value) => setView({ channel: Channel.safeParse(value).data ?? 'any', page: 1 }),
    },
    {
      id: 'template',
      label: 'Template',
      kind: 'text',
      value: view.templateName || undefined,
      onChange: (value) => setView({ templateName: value ?? '', page: 1 }),
    },
    {
      id: 'range',
      label: 'Created',
      kind: 'range',
      value: view.range,
      onChange: (range) => setView({ range, page: 1 }),
    },
  ]
}

type NothingProps = { view: AllCampaignsView; isReseller: boolean; onAll: () => void }

function Nothing({ view, isReseller, onAll }: NothingProps) {
  if (view.tab === 'needs_help')
    return (
      <Empty icon={HeartPulse} title="No campaigns need attention" actions={<Button onClick={onAll}>Show all</Button>}>
        Campaigns with more than {helpPercent}% failed messages are listed here.
      </Empty>
    )
  if (view.tab === 'under_way' || view.accountIds.length > 0)
    return <Empty icon={Megaphone} title="No campaigns here" actions={<Button onClick={onAll}>Show all</Button>} />
  return (
    <Empty icon={Megaphone} title={isReseller ? 'Your customers have not sent anything yet' : 'No campaigns yet'}>
      Campaigns of your accounts are listed here.
    </Empty>
  )
}
