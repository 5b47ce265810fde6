import { CampaignStatus } from '@carillon/contract/campaign-records'
import { comparable, type UnifiedCampaign } from '@carillon/contract/unified-campaigns'
import { Layers, Scale } from 'lucide-react'
import type { ReactNode } from 'react'
import { ExamplePhones } from '../../../channels/phone/example-phones.tsx'
import { writeView } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { sourceOf } from '../../../ui/data-screen/columns.ts'
import { DataScreen } from '../../../ui/data-screen/data-screen.tsx'
import type { Filter } from '../../../ui/data-screen/filter.ts'
import { isElsewhere } from '../../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../../ui/empty.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { campaignStatusLabel } from '../../../ui/pill.tsx'
import type { TabItem } from '../../../ui/tabs.tsx'
import { peekOfCampaign } from '../list/peek-of-campaign.tsx'
import { useCampaignActions } from '../list/use-campaign-actions.tsx'
import { reportsView } from '../numbers/reports-view.ts'
import { NewUnified } from './new-unified.tsx'
import { UnifiedCard, unifiedColumns } from './unified-columns.tsx'
import { queryOf, type ViewProps } from './unified-view.ts'

type UnifiedListProps = ViewProps & {
  title: string
  tabs: { label: string; items: readonly TabItem[]; value: string; onValueChange: (value: string) => void }
  actions: ReactNode
}

/** Campaigns over several channels, newest first. */
export function UnifiedList({ view, setView, title, tabs, actions }: UnifiedListProps) {
  const go = useGo()
  const { menu, ask, dialogs } = useCampaignActions()
  const list = useApi('campaigns.unified', { query: queryOf(view) }, { keepPrevious: true, refetchInterval: 15_000 })
  const rows = list.data?.campaigns
  const elsewhere = useCampaignElsewhere(
    view.openId,
    rows?.map(({ _id }) => _id),
  )
  return (
    <>
      <DataScreen<UnifiedCampaign>
        id="unified-campaigns"
        title={title}
        noun="campaigns"
        count={list.data?.totalCampaigns}
        actions={actions}
        tabs={tabs}
        search={{
          label: 'Search campaigns',
          value: view.search,
          onValueChange: (search) => setView({ search, page: 1 }, { replace: true }),
        }}
        filters={[statusFilter({ view, setView })]}
        source={sourceOf(list, rows)}
        columns={unifiedColumns}
        rowId={({ _id }) => _id}
        rowName={({ campaignName }) => campaignName}
        card={(campaign) => <UnifiedCard campaign={campaign} />}
        rowMenu={(campaign) => [...menu(campaign), 'separator', compareItem(campaign, { view, setView })]}
        bulk={(chosen) => <CompareChosen chosen={chosen} setView={setView} />}
        onOpen={({ _id }) => go('campaigns/individual-reports', writeView(reportsView, { campaignId: _id }))}
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          render: (campaign) => peekOfCampaign(campaign, { menu: menu(campaign), ask }),
          elsewhere: elsewhere && { ...elsewhere, channels: [elsewhere.channel] },
        }}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
          totalPages: list.data?.totalPages,
          total: list.data?.totalCampaigns,
        }}
        empty={
          <Empty
            icon={Layers}
            picture={<ExamplePhones />}
            title="One audience, best channel first"
            actions={<NewUnified variant="outline" />}
          >
            Choose the order of the channels. People the first message does not reach get the next one.
          </Empty>
        }
      />
      {dialogs}
    </>
  )
}

function useCampaignElsewhere(id: string | undefined, ids: readonly string[] | undefined) {
  const enabled = isElsewhere(id, ids)
  const read = useApi('campaigns.get', { path: { id: id ?? '' } }, { enabled, refetchInterval: 5000 })
  return enabled ? read.data : undefined
}

function statusFilter({ view, setView }: ViewProps): Filter {
  return {
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
}

/** On phones, where rows cannot be selected, campaigns are collected for the comparison one by one. */
function compareItem({ _id }: UnifiedCampaign, { view, setView }: ViewProps): MenuItem {
  if (view.ids.includes(_id))
    return {
      label: 'Remove from comparison',
      icon: Scale,
      onSelect: () => setView({ ids: view.ids.filter((id) => id !== _id) }),
    }
  return {
    label: 'Add to comparison',
    icon: Scale,
    onSelect: () => setView({ ids: [...view.ids, _id] }),
    disabled: view.ids.length >= comparable.most ? `At most ${comparable.most} campaigns can be compared` : undefined,
  }
}

type CompareChosenProps = Pick<ViewProps, 'setView'> & { chosen: readonly UnifiedCampaign[] }

function CompareChosen({ chosen, setView }: CompareChosenProps) {
  const isPossible = chosen.length >= comparable.fewest && chosen.length <= comparable.most
  return (
    <Button
      size="sm"
      variant="ghost"
      disabled={!isPossible}
      title={isPossible ? undefined : `Choose ${comparable.fewest} to ${comparable.most} campaigns`}
      onClick={() => setView({ tab: 'compare', ids: chosen.map(({ _id }) => _id) })}
    >
      <Scale aria-hidden /> Compare
    </Button>
  )
}
