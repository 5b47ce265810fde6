import type { Conversation } from '@carillon/contract/conversation-records'
import { Check, ChevronDown, UserRoundCheck, UserRoundMinus } from 'lucide-react'
import { useDeferredValue, useState, type ReactNode } from 'react'
import type { CallData } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Input } from '../../../ui/input.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { AgentAvatar } from '../person-avatar.tsx'

type AgentPickerProps = {
  assigneeId?: string | undefined
  accountId: string | undefined
  /** Null for none. */
  onPick: (id: string | null) => void
}

/** Agents by name, the caller first. */
export function AgentPicker({ assigneeId, accountId, onPick }: AgentPickerProps) {
  const [typed, setTyped] = useState('')
  const searchTerm = useDeferredValue(typed.trim())
  const agents = useApi('agents.search', { query: { searchTerm } }, { keepPrevious: true })
  const found = sortAgents(agents.data?.agents ?? [], accountId)
  const isCallerOffered = searchTerm === '' && accountId !== assigneeId && !found.some(({ _id }) => _id === accountId)
  return (
    <div className="flex max-h-90 flex-col">
      <div className="p-2">
        <Input
          size="sm"
          autoFocus
          aria-label="Search agents"
          placeholder="Search agents"
          maxLength={80}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          trailing={agents.isFetching ? <Spinner /> : null}
        />
      </div>
      <ul aria-label="Agents" className="min-h-0 overflow-y-auto px-1 pb-1">
        {assigneeId ? (
          <PickLine onPick={() => onPick(null)}>
            <UserRoundMinus aria-hidden className="size-5 p-0.5 text-muted-foreground" />
            <span className="flex-1">Unassign</span>
          </PickLine>
        ) : null}
        {accountId && isCallerOffered ? (
          <PickLine onPick={() => onPick(accountId)}>
            <UserRoundCheck aria-hidden className="size-5 p-0.5 text-muted-foreground" />
            <span className="flex-1">Assign to me</span>
          </PickLine>
        ) : null}
        {found.map((agent) => (
          <AgentLine
            key={agent._id}
            agent={agent}
            isCaller={agent._id === accountId}
            isChosen={agent._id === assigneeId}
            onPick={onPick}
          />
        ))}
        <PickerState isEmpty={agents.isSuccess && found.length === 0 && searchTerm !== ''} error={agents.error} />
      </ul>
    </div>
  )
}

function PickerState({ isEmpty, error }: { isEmpty: boolean; error: Error | null }) {
  if (error) return <li className="px-2 py-3 text-dense text-danger-text">{error.message}</li>
  return isEmpty ? <li className="px-2 py-3 text-center text-dense text-muted-foreground">No agents match</li> : null
}

type Agent = CallData<'agents.search'>['agents'][number]

function sortAgents(agents: readonly Agent[], accountId: string | undefined): Agent[] {
  return agents.toSorted(
    (a, b) => Number(b._id === accountId) - Number(a._id === accountId) || Number(b.isOnline) - Number(a.isOnline),
  )
}

type AgentLineProps = { agent: Agent; isCaller: boolean; isChosen: boolean; onPick: (id: string) => void }

function AgentLine({ agent: { _id, name, isOnline, activeChats }, isCaller, isChosen, onPick }: AgentLineProps) {
  return (
    <PickLine isChosen={isChosen} onPick={() => onPick(_id)}>
      <span className="relative">
        <AgentAvatar name={name} />
        {isOnline ? (
          <span className="absolute -right-0.5 -bottom-0.5 size-2 rounded-full bg-success ring-2 ring-popover" />
        ) : null}
      </span>
      <span dir="auto" className="message-text min-w-0 flex-1 truncate">
        {name}
        {isCaller ? ' (you)' : ''}
      </span>
      <span className="text-caption text-muted-foreground tabular-nums">
        {isOnline ? `${activeChats} open` : 'Offline'}
      </span>
    </PickLine>
  )
}

type PickLineProps = { isChosen?: boolean; onPick: () => void; children: ReactNode }

function PickLine({ isChosen, onPick, children }: PickLineProps) {
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen ? 'true' : undefined}
        onClick={onPick}
        className="flex min-h-9 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-accent focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
      >
        {children}
        {isChosen ? <Check aria-hidden className="size-4 text-brand-text" /> : null}
      </button>
    </li>
  )
}

type AssigneeMenuProps = {
  conversation: Conversation
  accountId: string | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  onAssign: (id: string | null) => void
  /** In the details, without a frame. */
  isInline?: boolean
}

export function AssigneeMenu({ conversation, accountId, open, onOpenChange, onAssign, isInline }: AssigneeMenuProps) {
  const { assignee } = conversation
  return (
    <Popover
      label="Assignee"
      align="end"
      open={open}
      onOpenChange={onOpenChange}
      className="w-72"
      trigger={
        <button
          type="button"
          aria-label={assignee ? `Assigned to ${assignee.name}, change` : isInline ? 'None, assign' : 'Assign'}
          className={
            isInline
              ? '-mr-1.5 inline-flex h-7 max-w-48 items-center gap-1.5 rounded-md px-1.5 hover:bg-accent'
              : 'inline-flex h-8 max-w-40 items-center gap-1.5 rounded-md border border-edge bg-card pr-2 pl-1.75 text-dense font-medium shadow-1 hover:bg-accent'
          }
        >
          {assignee ? <AgentAvatar name={assignee.name} /> : null}
          <span dir="auto" className="message-text truncate">
            {assignee ? (isInline ? assignee.name : assignee.name.split(' ')[0]) : isInline ? 'None' : 'Assign'}
          </span>
          <ChevronDown aria-hidden className="size-3.5 text-muted-foreground" />
        </button>
      }
    >
      <AgentPicker
        assigneeId={assignee?._id}
        accountId={accountId}
        onPick={(id) => {
          onOpenChange(false)
          onAssign(id)
        }}
      />
    </Popover>
  )
}
