import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Region } from '../../ui/region.tsx'
import { Transfers } from '../../ui/transfers/transfers-panel.tsx'
import { CreateUserSheet } from './create-user-sheet.tsx'
import type { Scope } from './users-view.ts'

const pageSize = 100

/** Balances of sub-accounts in a grid: enter changes, review, run. */
export function MoveSubBalances({ scope, onBack }: { scope: Scope; onBack: () => void }) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [creating, setCreating] = useState(false)
  const query = {
    type: scope.kinds.join(','),
    ownBalance: 'true',
    sort: 'name',
    direction: 'asc',
    limit: pageSize,
    page,
    ...(search ? { search } : {}),
  } as const
  const users = useApi('users.list', { query }, { keepPrevious: true })
  return (
    <div data-full-height className="flex min-h-[calc(100dvh-56px)] flex-1 flex-col">
      <Page
        title={scope.title}
        count={users.data?.count}
        actions={
          <Button size="sm" onClick={onBack}>
            <ArrowLeft aria-hidden /> Back to list
          </Button>
        }
      >
        <Region read={users} label={`the ${scope.noun}`} lines={8}>
          {(data) => (
            <Transfers
              key={page}
              noun={scope.noun}
              none={{
                title: 'No sub-accounts yet',
                text: 'Create a sub-account first. Then balance can be moved between it and your organisation.',
                action: <Button onClick={() => setCreating(true)}>{scope.create}</Button>,
              }}
              page={data}
              search={search}
              onSearch={(text) => {
                setSearch(text)
                setPage(1)
              }}
              onPage={setPage}
            />
          )}
        </Region>
      </Page>
      <CreateUserSheet open={creating} onOpenChange={setCreating} scope={scope} />
    </div>
  )
}
