import { Users } from 'lucide-react'
import { useState } from 'react'
import type { CallData } from '../../lib/call.ts'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { defineView, pageParam, textParam } from '../../lib/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { Pager } from '../../ui/data-screen/pager.tsx'
import { SearchBox } from '../../ui/data-screen/search-box.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Region } from '../../ui/region.tsx'
import { PoolBar } from './pool-bar.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { TransferGrid } from './transfer-grid.tsx'
import { fillToWeek, sumOf, transfersOf, type Changes } from './transfers.ts'

const quotaView = defineView({ q: textParam(), p: pageParam() })
const pageSize = 50

/** Move balance between accounts without arithmetic: type what changes, look at it once, and let it run. */
export function QuotaPage() {
  const [view, setView] = useView(quotaView)
  const [changes, setChanges] = useState<Changes>({})
  const [reviewing, setReviewing] = useState(false)
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
  const rows = users.data?.users ?? []
  const transfers = transfersOf(rows, changes)
  const review = () => transfers.length > 0 && setReviewing(true)
  useHotkeys({ 'Mod+Enter': review })

  return (
    <Page
      title="Quota Management"
      count={users.data?.count}
      actions={
        <>
          <Button size="sm" onClick={() => setChanges({ ...changes, ...fillToWeek(rows) })}>
            Fill all to 7 days
          </Button>
          <Button size="sm" disabled={transfers.length === 0} onClick={() => setChanges({})}>
            Clear
          </Button>
          <Button variant="primary" size="sm" disabled={transfers.length === 0} onClick={review}>
            {transfers.length === 0 ? 'Review transfers' : `Review ${transfers.length} transfers`}
          </Button>
        </>
      }
    >
      <Region read={users} label="the accounts" lines={8}>
        {(data) => (
          <>
            <PoolBar pool={data.balance} users={data.users} change={sumOf(changes)} />
            <div className="flex min-h-14 items-center py-3 screen-x">
              <SearchBox
                label="Search accounts"
                value={view.q}
                onValueChange={(q) => setView({ q, p: 1 }, { replace: true })}
              />
            </div>
            <Accounts
              page={data}
              isFiltered={view.q !== ''}
              changes={changes}
              onChanges={setChanges}
              onPage={(p) => {
                setChanges({})
                setView({ p })
              }}
            />
          </>
        )}
      </Region>
      {reviewing ? (
        <ReviewDialog
          transfers={transfers}
          onDone={(done) => setChanges(without(changes, done))}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </Page>
  )
}

type AccountsProps = {
  page: CallData<'users.list'>
  isFiltered: boolean
  changes: Changes
  onChanges: (changes: Changes) => void
  onPage: (page: number) => void
}

function Accounts({ page: { users, count, page, totalPages }, isFiltered, changes, onChanges, onPage }: AccountsProps) {
  if (users.length === 0) {
    return (
      <Empty icon={Users} title={isFiltered ? 'No accounts match' : 'Create your first customer account'}>
        Accounts directly below yours are listed here with their balance.
      </Empty>
    )
  }
  return (
    <>
      <TransferGrid users={users} changes={changes} onChanges={onChanges} />
      {totalPages > 1 ? (
        <Pager
          page={page}
          pageSize={pageSize}
          total={count}
          totalPages={totalPages}
          rowsHere={users.length}
          onPage={onPage}
        />
      ) : null}
    </>
  )
}

function without(changes: Changes, done: readonly string[]): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([id]) => !done.includes(id)))
}
