import { ArrowLeftRight } from 'lucide-react'
import { formatMoney } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { defineView, flagParam } from '../../lib/url-state.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { Region } from '../../ui/region.tsx'
import { MoveSubBalances } from './move-sub-balances.tsx'
import { UsersScreen } from './users-screen.tsx'
import type { Scope } from './users-view.ts'

const scope: Scope = {
  title: 'Sub-Account Management',
  noun: 'sub-accounts',
  kinds: ['department_head', 'user'],
  ownBalance: true,
  create: 'Create sub-account',
  empty: {
    title: 'Give a branch or brand its own balance',
    text: 'A sub-account can spend only what you allocate to it.',
  },
}

const movingView = defineView({ isMoving: flagParam('b') })

/** Members of an organisation and their balances. */
export function SubAccountsPage() {
  const [view, setView] = useView(movingView)
  if (view.isMoving) return <MoveSubBalances scope={scope} onBack={() => setView({ isMoving: false })} />
  return (
    <UsersScreen
      scope={scope}
      notice={<Allocated />}
      actions={
        <Button size="sm" onClick={() => setView({ isMoving: true })}>
          <ArrowLeftRight aria-hidden /> Move balance
        </Button>
      }
    />
  )
}

function Allocated() {
  const overview = useApi('balance.overview', { query: { days: 7 } })
  return (
    <Region read={overview} label="what is allocated" lines={1}>
      {({ balance, allocated }) => {
        const whole = balance + allocated
        return (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-y border-line bg-sunken py-2.5 screen-x tabular-nums">
            <span>
              <b className="font-medium">{formatMoney(allocated)}</b>{' '}
              <span className="text-muted-foreground">given to sub-accounts, of {formatMoney(whole)}</span>
            </span>
            <span aria-hidden className="h-1.5 min-w-40 flex-1 overflow-hidden rounded-full bg-secondary">
              <span
                className="block h-full rounded-full bg-brand"
                style={{ width: `${whole > 0 ? (allocated / whole) * 100 : 0}%` }}
              />
            </span>
          </div>
        )
      }}
    </Region>
  )
}
