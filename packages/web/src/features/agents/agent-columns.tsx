import type { AgentPeriod, LiveAgent } from '@carillon/contract/live-agents'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { formatCount, formatDuration, initialsOf } from '../../lib/format.ts'
import { useSetAvailability } from '../../lib/use-set-availability.ts'
import { AvailabilityMenu, AvailabilityText } from '../../ui/availability.tsx'
import type { Column } from '../../ui/data-screen/columns.ts'
import { Pill } from '../../ui/pill.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Missing } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { periodLabels } from './agent-labels.ts'

export function agentColumns(period: AgentPeriod): readonly Column<LiveAgent>[] {
  return [
    { id: 'name', header: 'Agent', cell: (agent) => <Who agent={agent} /> },
    { id: 'availability', header: 'Availability', width: 150, cell: (agent) => <AgentAvailability agent={agent} /> },
    { id: 'load', header: 'Open', width: 150, cell: (agent) => <Load agent={agent} /> },
    {
      id: 'resolved',
      header: `Resolved ${period === 'day' ? 'today' : ''}`.trim(),
      align: 'right',
      width: 130,
      cell: ({ resolved }) => (resolved === undefined ? <Missing /> : formatCount(resolved)),
    },
    {
      id: 'first',
      header: 'First response',
      align: 'right',
      width: 140,
      cell: (agent) => <FirstResponse agent={agent} period={period} />,
    },
    { id: 'channels', header: 'Channels', width: 120, cell: ({ channels }) => <Channels channels={channels} /> },
    {
      id: 'teams',
      header: 'Teams',
      width: 180,
      optional: true,
      cell: ({ teams }) =>
        teams.length === 0 ? (
          <Missing why="no team" />
        ) : (
          <span className="block max-w-44 truncate">{teams.map(({ name }) => name).join(', ')}</span>
        ),
    },
    {
      id: 'skills',
      header: 'Skills',
      width: 180,
      optional: true,
      cell: ({ skills }) =>
        skills.length === 0 ? (
          <Missing why="no skills" />
        ) : (
          <span className="block max-w-44 truncate">{skills.join(', ')}</span>
        ),
    },
  ]
}

function Who({ agent: { name, email, status } }: { agent: LiveAgent }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <span
        aria-hidden
        className="grid size-7 shrink-0 place-items-center rounded-full bg-secondary text-caption font-semibold text-secondary-foreground"
      >
        {initialsOf(name)}
      </span>
      <span className="min-w-0 leading-tight">
        <b className="block truncate font-medium">{name}</b>
        <small className="block truncate text-caption text-muted-foreground">{email}</small>
      </span>
      {status === 'active' ? null : <AgentPill status={status} />}
    </span>
  )
}

export function AgentPill({ status }: Pick<LiveAgent, 'status'>) {
  if (status === 'active') return null
  return status === 'invited' ? <Pill tone="info">Invited</Pill> : <Pill tone="neutral">Disabled</Pill>
}

/** A menu for oneself and for agents below; text for others. */
export function AgentAvailability({ agent }: { agent: LiveAgent }) {
  const set = useSetAvailability(({ message }) => toast.error(message))
  const { _id, name, availability, status, mayManage, mayMonitor } = agent
  if (status === 'invited') return <Missing why="not joined yet" />
  // Those who may monitor an agent are the agent or above.
  if (status === 'disabled' || !(mayManage || mayMonitor)) return <AvailabilityText availability={availability} />
  return (
    <AvailabilityMenu
      availability={availability}
      label={`Availability of ${name}`}
      onChange={(next) => set(_id, { availability: next })}
    />
  )
}

/** Open conversations, and the share of the capacity. */
export function Load({ agent: { name, activeChats, capacity, status } }: { agent: LiveAgent }) {
  if (status === 'invited') return <Missing why="not joined yet" />
  const { maxOpen } = capacity
  if (maxOpen === null) return <span className="tabular-nums">{formatCount(activeChats)}</span>
  const share = activeChats / maxOpen
  return (
    <span className="flex items-center gap-2.5">
      <span className="min-w-10 tabular-nums">
        {formatCount(activeChats)}
        <span className="text-muted-foreground"> / {formatCount(maxOpen)}</span>
      </span>
      <Progress
        percent={share * 100}
        label={`Load of ${name}: ${activeChats} of ${maxOpen} open`}
        tone={share >= 1 ? 'care' : 'brand'}
        className="w-14"
      />
    </span>
  )
}

function FirstResponse({ agent: { firstResponseSeconds }, period }: { agent: LiveAgent; period: AgentPeriod }) {
  if (typeof firstResponseSeconds !== 'number')
    return firstResponseSeconds === null ? <Missing why={`no first response: ${periodLabels[period]}`} /> : <Missing />
  return <span title="Median">{formatDuration(firstResponseSeconds)}</span>
}

function Channels({ channels }: Pick<LiveAgent, 'channels'>) {
  if (channels.length === 0) return <Missing why="no channel yet" />
  return (
    <span className="inline-flex gap-1">
      {channels.map((channel) => (
        <ChannelMark key={channel} channel={channel} markOnly />
      ))}
    </span>
  )
}

/** An agent in the list on phones. */
export function AgentCard({ agent }: { agent: LiveAgent }) {
  const { name, status, availability, email } = agent
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <b className="block font-medium break-words">{name}</b>
          <small className="block text-caption break-words text-muted-foreground">{email}</small>
        </div>
        {status === 'active' ? (
          <span className="text-dense">
            <AvailabilityText availability={availability} />
          </span>
        ) : (
          <AgentPill status={status} />
        )}
      </div>
      {status === 'invited' ? null : (
        <div className="flex items-center justify-between gap-3 text-dense">
          <span className="flex items-center gap-2">
            <span className="text-muted-foreground">Open</span> <Load agent={agent} />
          </span>
          <Channels channels={agent.channels} />
        </div>
      )}
    </div>
  )
}
