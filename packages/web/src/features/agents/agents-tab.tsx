import type { LiveAgent } from '@carillon/contract/live-agents'
import { Headset, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { channelList } from '../../channels/index.ts'
import { formatCount } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { sourceOf } from '../../ui/data-screen/columns.ts'
import { DataScreen } from '../../ui/data-screen/data-screen.tsx'
import { choiceFilter, type Filter } from '../../ui/data-screen/filter.ts'
import { isElsewhere } from '../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../ui/empty.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import type { TabItem } from '../../ui/tabs.tsx'
import { AddAgentSheet } from './add-agent-sheet.tsx'
import { AgentCard, agentColumns } from './agent-columns.tsx'
import { periodLabels } from './agent-labels.ts'
import { AgentPeek } from './agent-peek.tsx'
import { agentsView, periods, queryOf, type AgentsView } from './agents-view.ts'

type AgentsTabProps = {
  title: string
  tabs: { label: string; items: readonly TabItem[]; value: string; onValueChange: (value: string) => void }
  isManager: boolean
}

/** The agents with their availability, load and results. */
export function AgentsTab({ title, tabs, isManager }: AgentsTabProps) {
  const [view, setView] = useView(agentsView)
  const [isAdding, setAdding] = useState(false)
  const agents = useApi('agents.list', { query: queryOf(view) }, { keepPrevious: true, refetchInterval: 15_000 })
  const add = (variant: 'primary' | 'outline') =>
    isManager ? (
      <Button variant={variant} size="sm" onClick={() => setAdding(true)}>
        <UserRoundPlus aria-hidden /> Invite agent
      </Button>
    ) : null
  return (
    <>
      <DataScreen<LiveAgent>
        id="agents"
        title={title}
        noun="agents"
        count={agents.data?.pagination.total}
        tabs={tabs}
        actions={add('primary')}
        search={{
          label: 'Search agents',
          value: view.search,
          onValueChange: (search) => setView({ search, page: 1 }, { replace: true }),
        }}
        filters={filtersOf(view, setView)}
        notice={
          <Summary online={agents.data?.online} period={view.period} onPeriod={(period) => setView({ period })} />
        }
        source={sourceOf(agents, agents.data?.agents)}
        columns={agentColumns(view.period)}
        rowId={({ _id }) => _id}
        rowName={({ name }) => name}
        card={(agent) => <AgentCard agent={agent} />}
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          elsewhere: useAgentElsewhere(view.openId, agents.data?.agents),
          render: (agent) => ({
            title: agent.name,
            name: agent.name,
            body: <AgentPeek key={agent._id} agent={agent} onRemoved={() => setView({ openId: undefined })} />,
          }),
        }}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
          totalPages: agents.data?.pagination.totalPages,
          total: agents.data?.pagination.total,
        }}
        empty={
          isManager ? (
            <Empty icon={Headset} title="Invite your first teammate" actions={add('outline')}>
              Agents answer the conversations of your numbers and bots.
            </Empty>
          ) : (
            <Empty icon={Headset} title="No agents yet">
              Your manager adds the people who answer conversations.
            </Empty>
          )
        }
      />
      <AddAgentSheet open={isAdding} onOpenChange={setAdding} />
    </>
  )
}

type SummaryProps = {
  online: number | undefined
  period: AgentsView['period']
  onPeriod: (period: AgentsView['period']) => void
}

function Summary({ online, period, onPeriod }: SummaryProps) {
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2 screen-x">
      <p className="flex-1 text-dense text-muted-foreground" role="status">
        {online === undefined ? null : (
          <>
            <b className="font-medium text-foreground tabular-nums">{formatCount(online)}</b> online
          </>
        )}
      </p>
      <Segmented
        label="Period"
        value={period}
        options={periods.map((value) => ({ value, label: periodLabels[value] }))}
        onValueChange={onPeriod}
      />
    </div>
  )
}

/** The open agent, if it is on another page. */
function useAgentElsewhere(id: string | undefined, rows: readonly LiveAgent[] | undefined): LiveAgent | undefined {
  const enabled = isElsewhere(
    id,
    rows?.map(({ _id }) => _id),
  )
  const read = useApi('agents.list', { query: { limit: 100 } }, { enabled })
  return enabled ? read.data?.agents.find(({ _id }) => _id === id) : undefined
}

/** Channels that people can write on. */
const answered = channelList.filter(({ accounts }) => accounts !== undefined)

function filtersOf(view: AgentsView, setView: (patch: Partial<AgentsView>) => void): readonly Filter[] {
  return [
    choiceFilter('online', 'Availability', {
      options: [
        { value: 'true', label: 'Online' },
        { value: 'false', label: 'Not online' },
      ],
      value: view.online,
      onChange: (value) => setView({ online: value === 'true' || value === 'false' ? value : undefined, page: 1 }),
    }),
    choiceFilter('channel', 'Channel', {
      options: answered.map(({ channel }) => ({ value: channel, label: channelLabel(channel) })),
      value: view.channel,
      onChange: (value) => setView({ channel: answered.find(({ channel }) => channel === value)?.channel, page: 1 }),
    }),
  ]
}
