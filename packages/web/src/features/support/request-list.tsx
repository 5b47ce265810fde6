import type { Role } from '@carillon/contract/roles'
import { SupportStatus, type SupportRequest } from '@carillon/contract/support'
import { LifeBuoy, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { roleNames } from '../../lib/format.ts'
import { openSupport } from '../../lib/support.ts'
import { useApi } from '../../lib/use-api.ts'
import { useApiPages } from '../../lib/use-api-pages.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Input } from '../../ui/input.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Region } from '../../ui/region.tsx'
import { Select } from '../../ui/select.tsx'
import { Tabs, type TabItem } from '../../ui/tabs.tsx'
import { When } from '../../ui/text.tsx'
import { isSupportRequest } from './support-records.ts'
import { SupportStatusPill } from './status-pill.tsx'
import { priorityNames, statusNames } from './support-labels.ts'

type Box = 'mine' | 'incoming'

/** Admins have no account above, and users and department heads have none below. */
const boxesOf: Record<Role, readonly Box[]> = {
  admin: ['incoming'],
  reseller: ['incoming', 'mine'],
  manager: ['incoming', 'mine'],
  user: ['mine'],
  department_head: ['mine'],
}
const boxNames: Record<Box, string> = { mine: 'Mine', incoming: 'Incoming' }

export function RequestList({ role }: { role: Role }) {
  const boxes = boxesOf[role]
  const [box, setBox] = useState<Box>(boxes[0] ?? 'mine')
  const counts = useCounts(boxes)
  const items: TabItem<Box>[] = boxes.map((value) => ({ value, label: boxNames[value], count: counts[value] }))
  return (
    <>
      {items.length > 1 ? (
        <Tabs label="Requests" inset="sheet" items={items} value={box} onValueChange={setBox} />
      ) : null}
      <Requests key={box} box={box} />
    </>
  )
}

function useCounts(boxes: readonly Box[]): Partial<Record<Box, number>> {
  const several = boxes.length > 1
  const mine = useApi('support.list', { query: { box: 'mine', limit: 1 } }, { enabled: several })
  const incoming = useApi('support.list', { query: { box: 'incoming', limit: 1 } }, { enabled: several })
  return {
    ...(mine.data ? { mine: mine.data.pagination.total } : {}),
    ...(incoming.data ? { incoming: incoming.data.pagination.total } : {}),
  }
}

type Filter = { search: string; status: SupportStatus | 'any' }

function Requests({ box }: { box: Box }) {
  const [filter, setFilter] = useState<Filter>({ search: '', status: 'any' })
  const search = useDeferredValue(filter.search.trim())
  const requests = useApiPages('support.list', {
    inputOf: (page) => ({
      query: {
        page,
        limit: 10,
        box,
        ...(search ? { search } : {}),
        ...(filter.status === 'any' ? {} : { status: filter.status }),
      },
    }),
    hasMore: ({ pagination }, page) => page < pagination.totalPages,
    refetchInterval: 60_000,
  })
  const isFiltered = search !== '' || filter.status !== 'any'
  return (
    <>
      <Filters filter={filter} onChange={setFilter} />
      <Region read={requests} label="requests" lines={8}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data.filter(isSupportRequest))
          return rows.length === 0 ? (
            <Nothing box={box} isFiltered={isFiltered} onClear={() => setFilter({ search: '', status: 'any' })} />
          ) : (
            <ul>
              {rows.map((request) => (
                <Row key={request.id} request={request} box={box} />
              ))}
            </ul>
          )
        }}
      </Region>
      {requests.hasNextPage ? (
        <div className="grid place-items-center p-3">
          <Button size="sm" loading={requests.isFetchingNextPage} onClick={() => void requests.fetchNextPage()}>
            Load older
          </Button>
        </div>
      ) : null}
    </>
  )
}

type FiltersProps = { filter: Filter; onChange: (filter: Filter) => void }

function Filters({ filter, onChange }: FiltersProps) {
  const statuses = [
    { value: 'any' as const, label: 'Any status' },
    ...SupportStatus.options.map((value) => ({ value, label: statusNames[value] })),
  ]
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-border px-5 py-3">
      <Input
        size="sm"
        aria-label="Search requests"
        placeholder="Subject or number"
        maxLength={80}
        leading={<Search aria-hidden />}
        className="min-w-40 flex-1 basis-40"
        value={filter.search}
        onChange={({ target }) => onChange({ ...filter, search: target.value })}
      />
      <Select
        size="sm"
        aria-label="Status"
        className="w-36"
        value={filter.status}
        options={statuses}
        onValueChange={(status) => onChange({ ...filter, status })}
      />
    </div>
  )
}

function Row({ request, box }: { request: SupportRequest; box: Box }) {
  const { id, subject, requestNumber, kind, priority, status, openedBy, answeredBy, unread, updatedAt } = request
  const isPressing = priority === 'high' || priority === 'urgent'
  const who =
    box === 'incoming'
      ? [openedBy.name, openedBy.name === openedBy.organization ? roleNames[openedBy.type] : openedBy.organization]
      : [`With ${answeredBy?.name ?? 'no one yet'}`]
  return (
    <li className="border-b border-line">
      <button
        type="button"
        onClick={() => openSupport({ kind: 'request', id })}
        className="flex w-full flex-col gap-1 px-5 py-3 text-left hover:bg-accent focus-visible:-outline-offset-2"
      >
        <span className="flex items-baseline gap-2">
          {unread > 0 ? (
            <span className="size-2 shrink-0 self-center rounded-full bg-brand">
              <span className="sr-only">{unread} unread</span>
            </span>
          ) : null}
          <b className="min-w-0 flex-1 truncate">{subject}</b>
          <span className="shrink-0 text-caption text-muted-foreground tabular-nums">
            <When at={updatedAt} />
          </span>
        </span>
        <span className="truncate text-dense text-muted-foreground">
          <span className="tabular-nums">#{requestNumber}</span> · {who.filter(Boolean).join(' · ')}
        </span>
        <span className="mt-0.5 flex flex-wrap gap-1.5">
          <SupportStatusPill status={status} side={box === 'mine' ? 'customer' : 'staff'} />
          {isPressing ? <Pill tone={priority === 'urgent' ? 'bad' : 'care'}>{priorityNames[priority]}</Pill> : null}
          {kind === 'feedback' ? <Pill tone="neutral">Feedback</Pill> : null}
          {request.isEscalated ? <Pill tone="neutral">Escalated</Pill> : null}
        </span>
      </button>
    </li>
  )
}

function Nothing({ box, isFiltered, onClear }: { box: Box; isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <Empty icon={LifeBuoy} title="No requests match" actions={<Button onClick={onClear}>Clear filters</Button>}>
        Search by subject or number.
      </Empty>
    )
  }
  if (box === 'incoming') {
    return (
      <Empty icon={LifeBuoy} title="No open requests">
        Questions from the accounts below yours appear here.
      </Empty>
    )
  }
  return (
    <Empty
      icon={LifeBuoy}
      title="No support requests yet"
      actions={
        <Button variant="primary" onClick={() => openSupport({ kind: 'new' })}>
          New request
        </Button>
      }
    >
      Your account manager answers here, and you see the status of each request.
    </Empty>
  )
}
