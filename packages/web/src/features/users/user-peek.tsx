import type { ManagedUser } from '@carillon/contract/users'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { formatCount, formatDateTime, formatMoney, formatPhone } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Missing, When } from '../../ui/text.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { BalanceTab } from './balance-tab.tsx'
import { LimitsTab } from './limits-tab.tsx'
import { PermissionsTab } from './permissions-tab.tsx'
import { RatesTab } from './rates-tab.tsx'
import { AccountPill, Balance } from './user-columns.tsx'
import type { UserAction } from './user-action.ts'
import { roleLabels } from './user-labels.ts'

type UserPeekProps = { user: ManagedUser; onAction: (action: UserAction) => void }

/** Account details: balance, permissions, limits. */
export function UserPeek({ user, onAction }: UserPeekProps) {
  const [tab, setTab] = useState<'overview' | 'permissions' | 'balance' | 'limits' | 'rates'>('overview')
  const me = useUser()
  const isAbove = user.type === 'admin' || user.type === 'reseller'
  return (
    <>
      <Head user={user} onAction={onAction} />
      <Tabs
        label="Account"
        inset="sheet"
        value={tab}
        onValueChange={setTab}
        items={[
          { value: 'overview', label: 'Overview' },
          ...(isAbove ? [] : [{ value: 'permissions' as const, label: 'Permissions' }]),
          ...(user.balance === undefined ? [] : [{ value: 'balance' as const, label: 'Balance' }]),
          { value: 'limits', label: 'Limits' },
          ...(me?.type === 'manager' ? [] : [{ value: 'rates' as const, label: 'Rates' }]),
        ]}
      >
        {tab === 'overview' ? <Overview user={user} /> : null}
        {tab === 'permissions' ? <PermissionsTab user={user} /> : null}
        {tab === 'balance' ? <BalanceTab user={user} /> : null}
        {tab === 'limits' ? <LimitsTab user={user} /> : null}
        {tab === 'rates' ? <RatesTab user={user} /> : null}
      </Tabs>
    </>
  )
}

function Head({ user, onAction }: UserPeekProps) {
  const me = useUser()
  const opens = (me?.type === 'admin' || me?.type === 'reseller') && user.mayOpen
  const hasBalance = user.balance !== undefined
  return (
    <div className="flex flex-col gap-3 px-5 py-4">
      <div className="flex items-center gap-3">
        <span className="text-metric font-semibold tabular-nums">
          <Balance {...user} />
        </span>
        <AccountPill status={user.status} />
      </div>
      <div className="flex flex-wrap gap-2">
        {user.status === 'pending' ? (
          <Button size="sm" variant="primary" onClick={() => onAction({ kind: 'accept', user })}>
            Accept…
          </Button>
        ) : null}
        {hasBalance ? (
          <>
            <Button size="sm" onClick={() => onAction({ kind: 'add', user })}>
              Add
            </Button>
            <Button size="sm" onClick={() => onAction({ kind: 'deduct', user })}>
              Deduct
            </Button>
          </>
        ) : null}
        {opens ? (
          <Button size="sm" onClick={() => onAction({ kind: 'open', user })}>
            <ExternalLink aria-hidden /> Open account
          </Button>
        ) : null}
      </div>
    </div>
  )
}

function Overview({ user }: { user: ManagedUser }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 px-5 py-4 [&_dd]:min-w-0 [&_dd]:truncate [&_dt]:text-muted-foreground">
      <dt>Type</dt>
      <dd>{roleLabels[user.type]}</dd>
      <dt>Username</dt>
      <dd>{user.username}</dd>
      <dt>Email</dt>
      <dd>{user.email}</dd>
      {user.pendingEmail ? (
        <>
          <dt>New email</dt>
          <dd>{user.pendingEmail.email} (waiting for confirmation)</dd>
        </>
      ) : null}
      <dt>Mobile</dt>
      <dd>{user.phone ? formatPhone(user.phone) : <Missing />}</dd>
      <dt>Organisation</dt>
      <dd>{user.organization}</dd>
      <dt>Under</dt>
      <dd>{user.parentName ?? <Missing />}</dd>
      <dt>Accounts below</dt>
      <dd>{formatCount(user.accountCount)}</dd>
      <dt>7-day spend</dt>
      <dd>{formatMoney(user.spentLast7Days)}</dd>
      <dt>Last active</dt>
      <dd>{user.lastActiveAt ? <When at={user.lastActiveAt} /> : 'never'}</dd>
      <dt>Created</dt>
      <dd>{formatDateTime(user.createdAt)}</dd>
    </dl>
  )
}
