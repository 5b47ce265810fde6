import { AccountStatus } from '@carillon/contract/accounts'
import type { ManagedUser } from '@carillon/contract/users'
import { Module, Role } from '@carillon/contract/roles'
import { MailPlus, Plus, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../lib/use-api.ts'
import { useView } from '../../lib/use-view.ts'
import { Button } from '../../ui/button.tsx'
import { sourceOf } from '../../ui/data-screen/columns.ts'
import { DataScreen } from '../../ui/data-screen/data-screen.tsx'
import { isElsewhere } from '../../ui/data-screen/is-elsewhere.ts'
import type { Filter } from '../../ui/data-screen/filter.ts'
import { Empty } from '../../ui/empty.tsx'
import { CreateUserSheet } from './create-user-sheet.tsx'
import { InvitationsSheet } from './invitations-sheet.tsx'
import { UserCard, userColumns } from './user-columns.tsx'
import type { UserAction } from './user-action.ts'
import { UserBulk } from './user-bulk.tsx'
import { UserDialogs } from './user-dialogs.tsx'
import { UserPeek } from './user-peek.tsx'
import { useUserMenu } from './use-user-menu.ts'
import { queryOf, sorts, usersView, type Scope, type UsersView } from './users-view.ts'
import { moduleLabels, statusLabels, roleLabels } from './user-labels.ts'

type UsersScreenProps = {
  scope: Scope
  /** Between the toolbar and the table, such as the allocated balance. */
  notice?: ReactNode
  /** Secondary actions before the primary one. */
  actions?: ReactNode
}

/** List of accounts with actions: fund, change permissions, impersonate. */
export function UsersScreen({ scope, notice, actions }: UsersScreenProps) {
  const [view, setView] = useView(usersView)
  const [creating, setCreating] = useState(false)
  const [inviting, setInviting] = useState(false)
  const [action, setAction] = useState<UserAction>()
  const users = useApi('users.list', { query: queryOf(view, scope) }, { keepPrevious: true, refetchInterval: 30_000 })
  const menu = useUserMenu(setAction)
  const create = (variant: 'primary' | 'outline') => (
    <Button variant={variant} size="sm" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> {scope.create}
    </Button>
  )
  return (
    <>
      <DataScreen<ManagedUser>
        id="users"
        title={scope.title}
        noun={scope.noun}
        count={users.data?.count}
        actions={
          <>
            {actions}
            <Invite onClick={() => setInviting(true)} />
            {create('primary')}
          </>
        }
        search={{
          label: `Search ${scope.noun}`,
          value: view.search,
          onValueChange: (search) => setView({ search, page: 1 }, { replace: true }),
        }}
        filters={filtersOf({ view, setView, scope })}
        source={sourceOf(users, users.data?.users)}
        columns={userColumns}
        rowId={({ _id }) => _id}
        rowName={({ name }) => name}
        card={(user) => <UserCard user={user} />}
        sort={{ column: view.sort, direction: view.direction }}
        onSort={({ column, direction }) =>
          setView({ sort: sorts.find((sort) => sort === column) ?? 'created', direction, page: 1 })
        }
        rowMenu={menu}
        bulk={(chosen, clear) => <UserBulk users={chosen} onDone={clear} />}
        peek={{
          id: view.openId,
          onPeek: (openId) => setView({ openId }),
          elsewhere: useUserElsewhere(view.openId, users.data?.users),
          render: (user) => ({
            title: user.name,
            name: user.name,
            body: <UserPeek key={user._id} user={user} onAction={setAction} />,
          }),
        }}
        paging={{
          page: view.page,
          pageSize: view.pageSize,
          onPage: (page) => setView({ page }),
          onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
          totalPages: users.data?.totalPages,
          total: users.data?.count,
        }}
        notice={notice}
        empty={
          <Empty icon={Users} title={scope.empty.title} actions={create('outline')}>
            {scope.empty.text}
          </Empty>
        }
      />
      <CreateUserSheet open={creating} onOpenChange={setCreating} scope={scope} />
      <InvitationsSheet open={inviting} onOpenChange={setInviting} kinds={scope.kinds} ownBalance={scope.ownBalance} />
      <UserDialogs action={action} onClose={() => setAction(undefined)} />
    </>
  )
}

/** The open account, if it is on another page. */
function useUserElsewhere(id: string | undefined, rows: readonly ManagedUser[] | undefined): ManagedUser | undefined {
  const ids = rows?.map(({ _id }) => _id)
  const enabled = isElsewhere(id, ids)
  const read = useApi('users.get', { path: { userId: id ?? '' } }, { enabled })
  return enabled ? read.data : undefined
}

function Invite({ onClick }: { onClick: () => void }) {
  return (
    <Button size="sm" onClick={onClick}>
      <MailPlus aria-hidden /> Invitations
    </Button>
  )
}

/** Admins and resellers see all roles below an admin; an organisation sees only the roles it creates. */
function canBeBelow(type: Role, { kinds, shown }: Scope): boolean {
  if (shown) return shown.split(',').includes(type)
  return type !== 'admin' && (kinds.includes('manager') || kinds.includes(type))
}

type FilterProps = { view: UsersView; setView: (patch: Partial<UsersView>) => void; scope: Scope }

function filtersOf({ view, setView, scope }: FilterProps): readonly Filter[] {
  const types = Role.options.filter((type) => canBeBelow(type, scope))
  const chosen = <Value extends string>(value: Value) => (value === 'any' ? undefined : value)
  return [
    {
      id: 'type',
      label: 'Type',
      kind: 'choice',
      options: types.map((value) => ({ value, label: roleLabels[value] })),
      value: chosen(view.type),
      onChange: (value) => setView({ type: Role.safeParse(value).data ?? 'any', page: 1 }),
    },
    {
      id: 'status',
      label: 'Status',
      kind: 'choice',
      options: AccountStatus.options.map((value) => ({ value, label: statusLabels[value].label })),
      value: chosen(view.status),
      onChange: (value) => setView({ status: AccountStatus.safeParse(value).data ?? 'any', page: 1 }),
    },
    {
      id: 'module',
      label: 'Module',
      kind: 'choice',
      options: Module.options.map((value) => ({ value, label: moduleLabels[value].label })),
      value: chosen(view.module),
      onChange: (value) => setView({ module: Module.safeParse(value).data ?? 'any', page: 1 }),
    },
    {
      id: 'low',
      label: 'Balance',
      kind: 'choice',
      options: [{ value: 'low', label: 'Low: under ₹1,000' }],
      value: view.lowBalance ? 'low' : undefined,
      onChange: (value) => setView({ lowBalance: value === 'low', page: 1 }),
    },
  ]
}
