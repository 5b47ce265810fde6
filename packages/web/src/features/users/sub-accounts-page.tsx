import { formatMoney } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { Region } from '../../ui/region.tsx'
import { UsersScreen } from './users-screen.tsx'
import type { Scope } from './users-view.ts'

const scope: Scope = {
  title: 'Sub-Account Management',
  noun: 'sub-accounts',
  kinds: ['department_head', 'user'],
  create: 'Create sub-account',
  empty: {
    title: 'Give a branch or brand its own balance',
    text: 'A sub-account spends what you give it and never touches the rest.',
  },
}

/** People of an organisation and their money: what is given away, what is left. */
export function SubAccountsPage() {
  return <UsersScreen scope={scope} notice={<Allocated />} />
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
