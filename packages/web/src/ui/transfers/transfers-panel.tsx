import { ArrowUpToLine, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { CallData } from '../../lib/call.ts'
import { formatMoney } from '../../lib/format.ts'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { Button } from '../button.tsx'
import { Pager } from '../data-screen/pager.tsx'
import { SearchBox } from '../data-screen/search-box.tsx'
import { Empty } from '../empty.tsx'
import { PoolBar } from './pool-bar.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { TransferFoot } from './transfer-foot.tsx'
import { TransferGrid } from './transfer-grid.tsx'
import { byRunway, fillToWeek, splitOf, sumOf, transfersOf, type Changes } from './transfers.ts'

type TransfersProps = {
  /** Noun for the rows: 'accounts', 'sub-accounts'. */
  noun: string
  /** Shown without any accounts. */
  none: { title: string; text: string; action: ReactNode }
  page: CallData<'users.list'>
  search: string
  onSearch: (text: string) => void
  onPage: (page: number) => void
}

/** A grid of balances: enter changes, review, run. */
export function Transfers({ noun, none, page, search, onSearch, onPage }: TransfersProps) {
  const [changes, setChanges] = useState<Changes>({})
  const [reviewing, setReviewing] = useState(false)
  // Changes of accounts hidden by a search still count.
  const [known, setKnown] = useState(() => new Map(page.users.map((user) => [user._id, user])))
  if (page.users.some((user) => known.get(user._id) !== user))
    setKnown(new Map([...known, ...page.users.map((user) => [user._id, user] as const)]))
  const users = [...known.values()]
  const transfers = transfersOf(users, changes)
  const split = splitOf({ pool: page.balance, users, changes })
  const review = () => transfers.length > 0 && setReviewing(true)
  useHotkeys({ 'Mod+Enter': review })

  if (known.size === 0 && !search)
    return (
      <Empty icon={Users} title={none.title} actions={none.action}>
        {none.text}
      </Empty>
    )
  return (
    <>
      <PoolBar split={split} accounts={users.length} transfers={transfers.length} />
      <div className="flex min-h-14 items-center gap-2 py-3 screen-x">
        <SearchBox label={`Search ${noun}`} value={search} onValueChange={onSearch} />
        <FillButton fill={fillToWeek(users)} onFill={(fill) => setChanges({ ...changes, ...fill })} />
      </div>
      {page.users.length === 0 ? (
        <Empty
          icon={Users}
          title={`No ${noun} match “${search}”`}
          actions={<Button onClick={() => onSearch('')}>Clear search</Button>}
        />
      ) : (
        <TransferGrid users={page.users.toSorted(byRunway)} changes={changes} onChanges={setChanges} />
      )}
      {page.totalPages > 1 ? (
        <Pager
          page={page.page}
          pageSize={page.limit}
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
    <Button className="ml-auto h-8 text-dense max-md:h-11" aria-disabled={needed === 0} onClick={() => onFill(fill)}>
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
