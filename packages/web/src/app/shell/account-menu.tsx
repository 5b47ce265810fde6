import type { Role } from '@carillon/contract/roles'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  ChevronsUpDown,
  CornerDownLeft,
  LifeBuoy,
  LogOut,
  MessageSquareHeart,
  Network,
  Sparkles,
  UserRound,
  Users,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { call } from '../../lib/call.ts'
import { formatMoney, initialsOf } from '../../lib/format.ts'
import { signOut, useSession, useUser } from '../../lib/session.ts'
import { openSupport } from '../../lib/support.ts'
import { useGo } from '../../ui/area-link.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { screens } from '../routes.tsx'
import { texts } from '../texts.ts'
import { useBalance } from './use-account.ts'
import { useExitAccount } from './use-exit-account.ts'

/** Account, balance and logout. At the foot of the sidebar; on phones in the header. */
export function AccountMenu({ place }: { place: 'sidebar' | 'header' }) {
  const user = useUser()
  const session = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [confirming, setConfirming] = useState(false)
  const links = useAccountLinks()
  const help = helpFor(user?.type)
  const exitAccount = useExitAccount()
  if (!user) return null

  function logOut() {
    // Ends the session on the server as well; even if the call fails, this tab is signed out.
    void call('auth.logout', {}).catch(() => {})
    signOut()
    queries.clear()
    void navigate({ to: '/', replace: true })
  }

  const wayOut: MenuItem[] = session.impersonation
    ? [
        { label: 'Log out', icon: LogOut, onSelect: () => {}, disabled: texts.cannotLogout },
        { label: texts.exitAccount, icon: CornerDownLeft, onSelect: () => void exitAccount() },
      ]
    : [{ label: 'Log out', icon: LogOut, onSelect: () => setConfirming(true) }]

  return (
    <>
      <Menu
        label="Account"
        align={place === 'sidebar' ? 'start' : 'end'}
        side={place === 'sidebar' ? 'top' : 'bottom'}
        header={<AccountHead />}
        items={[
          'separator',
          { label: texts.upgrade, icon: Sparkles, onSelect: () => {}, disabled: texts.comingSoon },
          ...links,
          ...help,
          'separator',
          ...wayOut,
        ]}
        trigger={<AccountButton place={place} />}
      />
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={texts.confirmLogout.title}
        description={texts.confirmLogout.body}
        cancel={texts.confirmLogout.cancel}
        action={texts.confirmLogout.action}
        onConfirm={logOut}
      />
    </>
  )
}

/** The same for every role except users, who manage no accounts. Each item links to the role's screen; some roles have none. */
function useAccountLinks(): MenuItem[] {
  const user = useUser()
  const goTo = useGo()
  return accountItems
    .filter(({ hiddenFor }) => user && hiddenFor !== user.type)
    .map(({ label, icon, paths }) => {
      const path = paths.find((one) =>
        screens.some((screen) => screen.path === one && user && screen.roles.includes(user.type)),
      )
      return path === undefined
        ? { label, icon, onSelect: () => {}, disabled: 'Ask your account manager' }
        : { label, icon, onSelect: () => goTo(path) }
    })
}

type AccountItem = { label: string; icon: LucideIcon; paths: readonly string[]; hiddenFor?: Role }

const accountItems: readonly AccountItem[] = [
  { label: 'Account', icon: UserRound, paths: ['general', 'settings'] },
  { label: 'User Management', icon: Users, paths: ['users'], hiddenFor: 'user' },
  { label: 'Sub User Management', icon: Network, paths: ['sub-users', 'users'], hiddenFor: 'user' },
  { label: 'Billing', icon: Wallet, paths: ['billing', 'quota-management', 'quota-reports'] },
]

/** Admins and resellers have both in their sidebar. */
function helpFor(role: Role | undefined): MenuItem[] {
  if (role === 'admin' || role === 'reseller') return []
  return [
    { label: 'Support', icon: LifeBuoy, onSelect: () => openSupport() },
    { label: 'Feedback', icon: MessageSquareHeart, onSelect: () => openSupport({ kind: 'feedback' }) },
  ]
}

type AccountButtonProps = ComponentProps<'button'> & { place: 'sidebar' | 'header' }

function AccountButton({ place, ...rest }: AccountButtonProps) {
  const user = useUser()
  if (!user) return null
  const initials = (
    <span
      aria-hidden
      className="grid size-7 shrink-0 place-items-center rounded-full bg-secondary text-caption font-semibold text-secondary-foreground"
    >
      {initialsOf(user.username)}
    </span>
  )
  if (place === 'header') {
    return (
      <button type="button" {...rest} className="grid size-11 place-items-center rounded-md">
        {initials}
        <span className="sr-only">Account {user.username}</span>
      </button>
    )
  }
  return (
    <button
      type="button"
      {...rest}
      className="flex min-h-11 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-sidebar-accent aria-expanded:bg-sidebar-accent icons:justify-center icons:px-0"
    >
      {initials}
      <span className="sr-only">Account </span>
      <span className="min-w-0 flex-1 icons:hidden">
        <b className="block truncate text-dense text-sidebar-accent-foreground">{user.username}</b>
        <small className="block truncate text-caption text-muted-foreground">{user.email}</small>
      </span>
      <ChevronsUpDown aria-hidden className="size-3.5 text-muted-foreground icons:hidden" />
    </button>
  )
}

function AccountHead() {
  const user = useUser()
  const balance = useBalance()
  return (
    <div className="px-2 pt-1.5 pb-2">
      <b className="block">{user?.username}</b>
      <small className="block text-caption text-muted-foreground">{user?.email}</small>
      <p className="mt-2 flex justify-between gap-6 text-dense">
        <span className="text-muted-foreground">Balance</span>
        <span className="font-medium tabular-nums">
          {balance.balance !== undefined
            ? formatMoney(balance.balance)
            : balance.isPending
              ? texts.balanceLoading
              : balance.error?.message}
        </span>
      </p>
    </div>
  )
}
