import type { ManagedUser } from '@carillon/contract/users'
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Ban,
  CircleCheck,
  ExternalLink,
  FolderTree,
  KeyRound,
  Lock,
  LogOut,
  Mail,
  PauseCircle,
  Pencil,
  ShieldOff,
  Wallet,
} from 'lucide-react'
import { useUser } from '../../lib/session.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import type { UserAction } from './user-action.ts'

/** Actions for an account, by its status. */
export function useUserMenu(onAction: (action: UserAction) => void): (user: ManagedUser) => readonly MenuItem[] {
  const me = useUser()
  const opens = me?.type === 'admin' || me?.type === 'reseller'
  return (user) => {
    const ask = (kind: UserAction['kind']) => () => onAction({ kind, user })
    if (user.status === 'pending')
      return [
        { label: 'Accept…', icon: CircleCheck, onSelect: ask('accept') },
        { label: 'Reject…', icon: Ban, destructive: true, onSelect: ask('close') },
      ]
    if (user.status === 'closed') return []
    return [
      ...(opens && user.mayOpen ? [{ label: 'Open account', icon: ExternalLink, onSelect: ask('open') }] : []),
      ...balanceItems(user, { ask, ofManager: me?.type === 'manager' }),
      'separator',
      { label: 'Edit…', icon: Pencil, onSelect: ask('edit') },
      ...(user.mayOpen ? [{ label: 'Set one-time password…', icon: KeyRound, onSelect: ask('password') }] : []),
      { label: 'Send password link…', icon: Mail, onSelect: ask('link') },
      ...(user.hasSecondFactor
        ? [{ label: 'Turn off two-factor authentication…', icon: ShieldOff, onSelect: ask('factor') }]
        : []),
      { label: 'End sessions…', icon: LogOut, onSelect: ask('sessions') },
      { label: 'Move…', icon: FolderTree, onSelect: ask('move') },
      ...(user.status === 'active'
        ? [
            { label: 'Suspend…', icon: PauseCircle, onSelect: ask('suspend') },
            { label: 'Lock…', icon: Lock, destructive: true, onSelect: ask('lock') },
          ]
        : [{ label: 'Reactivate…', icon: CircleCheck, onSelect: ask('activate') }]),
      { label: 'Close permanently…', icon: Ban, destructive: true, onSelect: ask('close') },
    ]
  }
}

type Asking = { ask: (kind: UserAction['kind']) => () => void; ofManager: boolean }

/** Balance actions if it has a balance; managers can give a member a separate one. */
function balanceItems({ balance, type }: ManagedUser, { ask, ofManager }: Asking): readonly MenuItem[] {
  const hasBalance = balance !== undefined
  const disabled = hasBalance ? undefined : 'Draws on its organisation’s balance'
  const isMember = type === 'user' || type === 'department_head'
  return [
    { label: 'Add balance…', icon: ArrowDownToLine, onSelect: ask('add'), disabled },
    { label: 'Deduct balance…', icon: ArrowUpFromLine, onSelect: ask('deduct'), disabled },
    ...(ofManager && isMember
      ? [
          {
            label: hasBalance ? 'Use shared balance…' : 'Give own balance…',
            icon: Wallet,
            onSelect: ask('own-balance'),
          },
        ]
      : []),
  ]
}
