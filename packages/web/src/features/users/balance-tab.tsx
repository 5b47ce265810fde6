import type { ManagedUser } from '@carillon/contract/users'
import { useState } from 'react'
import { formatCredit, formatDateTime, formatMoney } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Region } from '../../ui/region.tsx'

const perPage = 20

/** Transactions of an account, newest first. */
export function BalanceTab({ user }: { user: ManagedUser }) {
  const [page, setPage] = useState(1)
  const statement = useApi(
    'statement.list',
    { query: { userId: user._id, page, limit: perPage } },
    { keepPrevious: true },
  )
  return (
    <Region read={statement} label="the balance" lines={6}>
      {({ entries, totalPages }) =>
        entries.length === 0 ? (
          <p className="px-5 py-4 text-muted-foreground">No transactions yet.</p>
        ) : (
          <>
            <ul className="divide-y divide-line px-5">
              {entries.map((entry) => (
                <li key={entry._id} className="flex items-center gap-3 py-2.5">
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{entry.description}</span>
                    <span className="block text-caption text-muted-foreground">{formatDateTime(entry.at)}</span>
                  </span>
                  <span className="text-right tabular-nums">
                    <span className={entry.amount > 0 ? 'block text-success-text' : 'block'}>
                      {formatCredit(entry.amount)}
                    </span>
                    <span className="block text-caption text-muted-foreground">{formatMoney(entry.balance)}</span>
                  </span>
                </li>
              ))}
            </ul>
            {totalPages > 1 ? (
              <div className="flex justify-between px-5 py-3">
                <Button size="sm" aria-disabled={page === 1} onClick={() => setPage(page - 1)}>
                  Newer
                </Button>
                <Button size="sm" aria-disabled={page >= totalPages} onClick={() => setPage(page + 1)}>
                  Older
                </Button>
              </div>
            ) : null}
          </>
        )
      }
    </Region>
  )
}
