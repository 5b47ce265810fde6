import { TopUpStatus, type TopUpRequest } from '@carillon/contract/billing'
import { HandCoins } from 'lucide-react'
import { useState } from 'react'
import { formatMoney } from '../../lib/format.ts'
import { mayCall } from '../../lib/call.ts'
import { askForTopUp } from '../../lib/top-up.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { sourceOf, type Column } from '../../ui/data-screen/columns.ts'
import { FilterBar } from '../../ui/data-screen/filters.tsx'
import { ListPanel } from '../../ui/data-screen/list-panel.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { When } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { AnswerTopUpDialog } from '../../ui/answer-top-up-dialog.tsx'
import { billingView, type BillingView } from './billing-view.ts'
import { requestLabels } from './request-labels.ts'

/** Top-up requests: the user's own, and pending ones of accounts below. */
export function RequestsTab() {
  const [view, setView] = useView(billingView)
  const [answering, answer] = useState<TopUpRequest>()
  const answers = mayCall('topUps.answer')
  const box = answers ? view.box : 'mine'
  const status = view.status === 'any' ? undefined : view.status
  const requests = useApi(
    'topUps.list',
    { query: { box, page: view.page, limit: view.pageSize, ...(status ? { status } : {}) } },
    { keepPrevious: true },
  )
  const cancel = useApiWrite('topUps.cancel', {
    refreshes: ['topUps.list'],
    onSuccess: () => toast.success('Request withdrawn'),
    onError: ({ message }) => toast.error(message),
  })

  function menuOf(request: TopUpRequest): readonly MenuItem[] {
    if (request.status !== 'pending') return []
    return box === 'incoming'
      ? [{ label: 'Answer…', onSelect: () => answer(request) }]
      : [{ label: 'Withdraw', onSelect: () => cancel.mutate({ path: { id: request._id } }) }]
  }

  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center gap-2 py-3 screen-x">
        {answers ? (
          <Segmented
            label="Whose requests"
            size="tool"
            value={view.box}
            options={[
              { value: 'mine', label: 'Mine' },
              { value: 'incoming', label: 'From my accounts' },
            ]}
            onValueChange={(value) => setView({ box: value, page: 1 })}
          />
        ) : null}
        <FilterBar
          filters={[
            {
              id: 'status',
              label: 'Status',
              kind: 'choice',
              options: TopUpStatus.options.map((value) => ({ value, label: requestLabels[value].label })),
              value: status,
              // The filter contains only statuses.
              onChange: (chosen) => setView({ status: (chosen ?? 'any') as BillingView['status'], page: 1 }),
            },
          ]}
        />
      </div>
      <ListPanel
        label="Top-up requests"
        source={sourceOf(requests, requests.data?.requests)}
        columns={columnsOf(box)}
        rowId={({ _id }) => _id}
        rowName={({ name, requestedBalance }) => `${name}, ${formatMoney(requestedBalance)}`}
        rowMenu={menuOf}
        onRow={box === 'incoming' ? (request) => request.status === 'pending' && answer(request) : undefined}
        card={(request) => <RequestCard {...request} />}
        empty={<NoRequests box={box} />}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          total: requests.data?.total,
          totalPages: requests.data?.totalPages,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
        }}
      />
      {answering ? <AnswerTopUpDialog request={answering} onClose={() => answer(undefined)} /> : null}
    </>
  )
}

function NoRequests({ box }: { box: 'mine' | 'incoming' }) {
  if (box === 'incoming') {
    return (
      <Empty icon={HandCoins} title="No top-up requests">
        Requests from the accounts below yours appear here.
      </Empty>
    )
  }
  return (
    <Empty
      icon={HandCoins}
      title="No top-up requests yet"
      actions={<Button onClick={() => askForTopUp()}>Request top-up</Button>}
    >
      Requests go to the account above yours. The balance moves once approved.
    </Empty>
  )
}

function columnsOf(box: 'mine' | 'incoming'): readonly Column<TopUpRequest>[] {
  const who: Column<TopUpRequest> = {
    id: 'who',
    header: 'Account',
    cell: ({ name, username }) => (
      <>
        <b className="font-medium">{name}</b> <small className="text-caption text-muted-foreground">{username}</small>
      </>
    ),
  }
  const note: Column<TopUpRequest> = {
    id: 'note',
    header: 'Note',
    cell: ({ note: text, answer }) => (
      <span className="block max-w-90 truncate text-muted-foreground" title={answer ?? text}>
        {answer ? `“${answer}”` : text || '—'}
      </span>
    ),
  }
  const rest: readonly Column<TopUpRequest>[] = [
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      width: 150,
      cell: ({ requestedBalance }) => <b className="font-medium">{formatMoney(requestedBalance)}</b>,
    },
    {
      id: 'granted',
      header: 'Granted',
      align: 'right',
      width: 150,
      cell: ({ approvedBalance }) => (approvedBalance === undefined ? '—' : formatMoney(approvedBalance)),
    },
    { id: 'status', header: 'Status', width: 170, cell: ({ status }) => <RequestPill status={status} /> },
    { id: 'sent', header: 'Sent', align: 'right', width: 130, cell: ({ createdAt }) => <When at={createdAt} /> },
  ]
  return box === 'incoming' ? [who, note, ...rest] : [note, ...rest]
}

function RequestPill({ status }: { status: TopUpRequest['status'] }) {
  const { label, tone } = requestLabels[status]
  return <Pill tone={tone}>{label}</Pill>
}

function RequestCard({ name, requestedBalance, status, createdAt, note }: TopUpRequest) {
  return (
    <div className="flex min-w-0 gap-3">
      <div className="min-w-0 flex-1">
        <b className="block font-medium break-words">{name}</b>
        <small className="block text-caption break-words text-muted-foreground">
          <When at={createdAt} /> {note ? `· ${note}` : ''}
        </small>
      </div>
      <div className="flex flex-col items-end gap-1 tabular-nums">
        <b className="font-medium">{formatMoney(requestedBalance)}</b>
        <RequestPill status={status} />
      </div>
    </div>
  )
}
