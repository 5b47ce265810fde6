import type { LiveAgent } from '@carillon/contract/live-agents'
import { useState } from 'react'
import { formatCount, formatDate } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { When } from '../../ui/text.tsx'
import { ChannelMark, channelLabel } from '../../channels/channel-mark.tsx'
import { channelList } from '../../channels/index.ts'
import { AgentAvailability, AgentPill } from './agent-columns.tsx'
import { AgentDay } from './agent-day.tsx'
import { agentRoleLabels } from './agent-labels.ts'
import { AgentMetricsTab } from './agent-metrics.tsx'
import { EditAgentDialog } from './edit-agent-dialog.tsx'
import { RemoveAgentDialog } from './remove-agent-dialog.tsx'

type AgentPeekProps = { agent: LiveAgent; onRemoved: () => void }
type Tab = 'day' | 'metrics' | 'setup'

/** An agent: the day, metrics, and what they answer. */
export function AgentPeek({ agent, onRemoved }: AgentPeekProps) {
  const mayMonitor = agent.mayMonitor && agent.status !== 'invited'
  const [tab, setTab] = useState<Tab>(mayMonitor ? 'day' : 'setup')
  const [dialog, setDialog] = useState<'edit' | 'remove'>()
  const { status, mayManage, email } = agent
  return (
    <>
      <div className="flex flex-col gap-3 px-5 py-4">
        <div className="flex flex-wrap items-center gap-3">
          <AgentAvailability agent={agent} />
          <AgentPill status={status} />
          <span className="min-w-0 truncate text-dense text-muted-foreground">{email}</span>
        </div>
        {mayManage ? (
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => setDialog('edit')}>
              Edit…
            </Button>
            <Button size="sm" variant="bad" onClick={() => setDialog('remove')}>
              {status === 'invited' ? 'Revoke invitation…' : 'Remove…'}
            </Button>
          </div>
        ) : null}
      </div>
      <Tabs
        label="Agent"
        inset="sheet"
        value={tab}
        onValueChange={setTab}
        items={[
          ...(mayMonitor
            ? [
                { value: 'day' as const, label: 'Day' },
                { value: 'metrics' as const, label: 'Metrics' },
              ]
            : []),
          { value: 'setup', label: 'Setup' },
        ]}
      >
        {tab === 'day' ? <AgentDay id={agent._id} /> : null}
        {tab === 'metrics' ? <AgentMetricsTab id={agent._id} /> : null}
        {tab === 'setup' ? <Setup agent={agent} /> : null}
      </Tabs>
      {dialog === 'edit' ? <EditAgentDialog agent={agent} onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'remove' ? (
        <RemoveAgentDialog agent={agent} onClose={() => setDialog(undefined)} onRemoved={onRemoved} />
      ) : null}
    </>
  )
}

const named = (all: readonly { name: string }[], none: string) =>
  all.length === 0 ? none : all.map(({ name }) => name).join(', ')

function Setup({ agent }: { agent: LiveAgent }) {
  const { role, skills, teams, inboxes, channels, capacity, invitedAt, lastSeenAt, autoOffline, status } = agent
  const limits = channelList.flatMap(({ channel }) => {
    const most = capacity.perChannel[channel]
    return most === undefined ? [] : [[`On ${channelLabel(channel)}`, `Up to ${formatCount(most)}`] as const]
  })
  return (
    <div className="px-5 py-4">
      <Facts
        facts={[
          ['Type', agentRoleLabels[role]],
          ['Skills', skills.length === 0 ? 'None' : skills.join(', ')],
          ['Teams', named(teams, 'None')],
          ['Lines', named(inboxes, teams.length === 0 ? 'All lines' : 'Those of the teams')],
          [
            'Channels',
            <span key="channels" className="inline-flex gap-2">
              {channels.length === 0
                ? 'None yet'
                : channels.map((channel) => <ChannelMark key={channel} channel={channel} markOnly />)}
            </span>,
          ],
          ['Open conversations', capacity.maxOpen === null ? 'No limit' : `Up to ${formatCount(capacity.maxOpen)}`],
          ...limits,
          ...(status === 'invited'
            ? []
            : [['Goes offline with the last browser', autoOffline ? 'Yes' : 'No'] as const]),
          ...(lastSeenAt ? [['Last seen', <When key="seen" at={lastSeenAt} />] as const] : []),
          ...(invitedAt ? [['Invited', formatDate(invitedAt)] as const] : []),
        ]}
      />
    </div>
  )
}
