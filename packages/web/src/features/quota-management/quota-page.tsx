import { RefreshCw } from 'lucide-react'
import { formatTime } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { pageParam, searchParam } from '../../lib/list-view.ts'
import { defineView } from '../../lib/url-state.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Region } from '../../ui/region.tsx'
import { Transfers } from '../../ui/transfers/transfers-panel.tsx'

const quotaView = defineView({ search: searchParam(), page: pageParam() })
const pageSize = 100

/** Moves balance between accounts: enter changes, review, run. */
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
        page: view.page,
        ...(view.search ? { search: view.search } : {}),
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
              key={view.page}
              noun="accounts"
              none={{
                title: 'Create your first customer account',
                text: 'Balance moves between you and your customer accounts here.',
                action: (
                  <Button asChild>
                    <AreaLink to="users">Open Users Management</AreaLink>
                  </Button>
                ),
              }}
              page={data}
              search={view.search}
              onSearch={(search) => setView({ search, page: 1 }, { replace: true })}
              onPage={(page) => setView({ page })}
            />
          )}
        </Region>
      </Page>
    </div>
  )
}
