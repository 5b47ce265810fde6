import { useState } from 'react'
import { formatMoney, formatMoneyCompact } from '../../lib/format.ts'
import type { useApi } from '../../lib/use-api.ts'
import { Card } from '../../ui/card.tsx'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Region } from '../../ui/region.tsx'
import { Segmented } from '../../ui/segmented.tsx'

const shown = 10

type TopAccountsProps = {
  read: ReturnType<typeof useApi<'dashboard.storedStatusCounts'>>
  users: ReturnType<typeof useApi<'users.list'>>
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
}

/** Accounts by usage, including everyone below; selecting one filters the page, selecting it again removes the filter. */
export function TopAccounts({ read, users, chosen, onChoose }: TopAccountsProps) {
  const [by, setBy] = useState<'messages' | 'spend'>('messages')
  return (
    <Card
      title="Top accounts"
      caption="Including the accounts below each"
      actions={
        <Segmented
          label="Counted by"
          size="tool"
          value={by}
          onValueChange={setBy}
          options={[
            { value: 'messages', label: 'Messages' },
            { value: 'spend', label: 'Spend' },
          ]}
        />
      }
    >
      {users.error && !users.data ? (
        <Failure error={users.error} onRetry={() => void users.refetch()} />
      ) : (
        <Region read={read} label="the top accounts" lines={6}>
          {({ accounts }) => {
            const used = accounts.filter(({ total }) => total.submitted > 0)
            if (used.length === 0) return <p className="px-4 pb-4 text-muted-foreground">No messages in this period.</p>
            const most = used
              .toSorted((a, b) =>
                by === 'spend' ? b.total.cost - a.total.cost : b.total.submitted - a.total.submitted,
              )
              .slice(0, shown)
            return (
              <div className="px-2 pb-3">
                <BarList
                  bars={most.map(({ userId, name, total }) => ({
                    id: userId,
                    label: userId === chosen ? <b className="text-brand-text">{name}</b> : name,
                    value: by === 'spend' ? total.cost : total.submitted,
                    ...(by === 'spend'
                      ? { shown: formatMoney(total.cost) }
                      : { detail: formatMoneyCompact(total.cost) }),
                  }))}
                  onBar={(id) => onChoose(id === chosen ? undefined : id)}
                />
              </div>
            )
          }}
        </Region>
      )}
    </Card>
  )
}
