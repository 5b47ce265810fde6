import type { ManagedUser } from '@carillon/contract/users'
import { formatCount, formatMoney, initialsOf } from '../../lib/format.ts'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import type { Column } from '../../ui/data-screen/columns.ts'
import { Pill } from '../../ui/pill.tsx'
import { Missing, When } from '../../ui/text.tsx'
import { ModuleDots } from './module-dots.tsx'
import { statusLabels, roleLabels } from './user-labels.ts'

const low = 1000

export const userColumns: readonly Column<ManagedUser>[] = [
  { id: 'name', header: 'Account', sortable: true, cell: (user) => <Who user={user} /> },
  {
    id: 'type',
    header: 'Type',
    width: 150,
    cell: ({ type, status }) => (
      <span className="inline-flex items-center gap-2">
        {roleLabels[type]}
        {status === 'active' ? null : <AccountPill status={status} />}
      </span>
    ),
  },
  {
    id: 'balance',
    header: 'Balance',
    align: 'right',
    width: 140,
    sortable: true,
    cell: (user) => <Balance {...user} />,
  },
  { id: 'modules', header: 'Modules', width: 110, cell: ({ modules }) => <ModuleDots modules={modules} /> },
  {
    id: 'channels',
    header: 'Channels',
    width: 110,
    cell: ({ channels }) =>
      channels.length === 0 ? (
        <Missing why="no channel yet" />
      ) : (
        <span className="inline-flex gap-1">
          {channels.map((channel) => (
            <ChannelMark key={channel} channel={channel} markOnly />
          ))}
        </span>
      ),
  },
  {
    id: 'spent',
    header: '7-day spend',
    align: 'right',
    width: 130,
    optional: true,
    cell: ({ spentLast7Days }) => formatMoney(spentLast7Days),
  },
  {
    id: 'accounts',
    header: 'Accounts below',
    align: 'right',
    width: 130,
    optional: true,
    cell: ({ accountCount }) => formatCount(accountCount),
  },
  {
    id: 'active',
    header: 'Last active',
    align: 'right',
    width: 130,
    sortable: true,
    cell: ({ lastActiveAt }) => (
      <span className="text-muted-foreground">{lastActiveAt ? <When at={lastActiveAt} /> : 'never'}</span>
    ),
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    width: 130,
    sortable: true,
    optional: true,
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
]

export function AccountPill({ status }: Pick<ManagedUser, 'status'>) {
  const { label, tone } = statusLabels[status]
  return <Pill tone={tone}>{label}</Pill>
}

function Who({ user: { name, email } }: { user: ManagedUser }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <span
        aria-hidden
        className="grid size-7 shrink-0 place-items-center rounded-full bg-secondary text-caption font-semibold text-secondary-foreground"
      >
        {initialsOf(name)}
      </span>
      <span className="min-w-0 leading-tight">
        <b className="block truncate font-medium">{name}</b>
        <small className="block truncate text-caption text-muted-foreground">{email}</small>
      </span>
    </span>
  )
}

/** Its separate balance; an account without one uses its organisation's. */
export function Balance({ balance, type }: Pick<ManagedUser, 'balance' | 'type'>) {
  if (type === 'admin') return <Missing why="an admin issues balance" />
  if (balance === undefined) return <span className="text-dense text-muted-foreground">shared</span>
  return <span className={balance < low ? 'font-medium text-warning-text' : ''}>{formatMoney(balance)}</span>
}

/** An account in the list on phones. */
export function UserCard({ user }: { user: ManagedUser }) {
  return (
    <div className="flex min-w-0 gap-3">
      <div className="min-w-0 flex-1">
        <b className="block font-medium break-words">{user.name}</b>
        <small className="block text-caption break-words text-muted-foreground">
          {roleLabels[user.type]} · {user.email}
        </small>
      </div>
      <div className="flex flex-col items-end gap-1 tabular-nums">
        <Balance {...user} />
        {user.status === 'active' ? null : <AccountPill status={user.status} />}
      </div>
    </div>
  )
}
