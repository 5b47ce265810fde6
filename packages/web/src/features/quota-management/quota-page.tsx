import { ArrowUpToLine, RefreshCw, Users } from 'lucide-react'
import { useState } from 'react'
import type { CallData } from '../../lib/call.ts'
import { formatMoney, formatTime } from '../../lib/format.ts'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { defineView, pageParam, textParam } from '../../lib/url-state.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Pager } from '../../ui/data-screen/pager.tsx'
import { SearchBox } from '../../ui/data-screen/search-box.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Region } from '../../ui/region.tsx'
import { PoolBar } from './pool-bar.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { TransferFoot } from './transfer-foot.tsx'
import { TransferGrid } from './transfer-grid.tsx'
import { byRunway, fillToWeek, splitOf, sumOf, transfersOf, type Changes } from './transfers.ts'

const quotaView = defineView({ q: textParam(), p: pageParam() })
const pageSize = 100

/** Move balance between accounts without arithmetic: type what changes, look at it once, and let it run. */
export function QuotaPage() {
  const [view, setView] = useView(quotaView)
  const users = useApi(
    'users.list',
    {
      query: {
        type: 'reseller,manager',
        direct: 'true',
        sort: 'name',
        direction: 'asc',
        limit: pageSize,
        page: view.p,
        ...(view.q ? { search: view.q } : {}),
      },
    },
    { keepPrevious: true },
  )
  return (
    <div data-full-height className="flex min-h-[calc(100dvh-56px)] flex-1 flex-col">
      <Page
        title="Quota Management"
        count={users.data?.count}
        actions={
          <>
            <span className="text-dense text-muted-foreground max-md:hidden">
              {users.dataUpdatedAt ? `Balances as of ${formatTime(users.dataUpdatedAt)}` : ''}
            </span>
            <IconButton label="Refresh" size="sm" loading={users.isFetching} onClick={() => void users.refetch()}>
              <RefreshCw aria-hidden />
            </IconButton>
          </>
        }
      >
        <Region read={users} label="the accounts" lines={8}>
          {(data) => (
            <Transfers
              key={view.p}
              page={data}
              search={view.q}
              onSearch={(q) => setView({ q, p: 1 }, { replace: true })}
              onPage={(p) => setView({ p })}
            />
          )}
        </Region>
      </Page>
    </div>
  )
}

type TransfersProps = {
  page: CallData<'users.list'>
  search: string
  onSearch: (text: string) => void
  onPage: (page: number) => void
}

function Transfers({ page, search, onSearch, onPage }: TransfersProps) {
  const [changes, setChanges] = useState<Changes>({})
  const [reviewing, setReviewing] = useState(false)
  // What was typed counts also for accounts that a search hides for now.
  const [known, setKnown] = useState(() => new Map(page.users.map((user) => [user._id, user])))
  if (page.users.some((user) => known.get(user._id) !== user))
    setKnown(new Map([...known, ...page.users.map((user) => [user._id, user] as const)]))
  const users = [...known.values()]
  const transfers = transfersOf(users, changes)
  const split = splitOf({ pool: page.balance, users, changes })
  const review = () => transfers.length > 0 && setReviewing(true)
  useHotkeys({ 'Mod+Enter': review })

  return (
    <>
      <PoolBar split={split} accounts={users.length} transfers={transfers.length} />
      <div className="flex min-h-14 items-center gap-2 py-3 screen-x">
        <SearchBox label="Search accounts" value={search} onValueChange={onSearch} />
        <FillButton fill={fillToWeek(users)} onFill={(fill) => setChanges({ ...changes, ...fill })} />
      </div>
      {page.users.length === 0 ? (
        <Empty icon={Users} title={search ? 'No accounts match' : 'Create your first customer account'}>
          Accounts directly below yours stand here with their balance.
        </Empty>
      ) : (
        <TransferGrid users={page.users.toSorted(byRunway)} changes={changes} onChanges={setChanges} />
      )}
      {page.totalPages > 1 ? (
        <Pager
          page={page.page}
          pageSize={pageSize}
          total={page.count}
          totalPages={page.totalPages}
          rowsHere={page.users.length}
          onPage={onPage}
        />
      ) : null}
      <TransferFoot split={split} transfers={transfers.length} onClear={() => setChanges({})} onReview={review} />
      {reviewing ? (
        <ReviewDialog
          transfers={transfers}
          onDone={(done) => setChanges((now) => without(now, done))}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </>
  )
}

function FillButton({ fill, onFill }: { fill: Changes; onFill: (fill: Changes) => void }) {
  const needed = sumOf(fill)
  return (
    <Button className="ml-auto h-8 text-dense max-md:h-11" disabled={needed === 0} onClick={() => onFill(fill)}>
      <ArrowUpToLine aria-hidden /> Fill all to 7 days
      {needed > 0 ? (
        <span className="ml-1 border-l border-border pl-2 font-normal text-muted-foreground tabular-nums max-md:hidden">
          {formatMoney(needed)}
        </span>
      ) : null}
    </Button>
  )
}

function without(changes: Changes, done: readonly string[]): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([id]) => !done.includes(id)))
}
