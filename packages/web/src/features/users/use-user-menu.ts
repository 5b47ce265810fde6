import type { ManagedUser } from '@carillon/contract/people'
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
} from 'lucide-react'
import { useUser } from '../../lib/session.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import type { Deed } from './deed.ts'

/** What can be done with an account, by where it stands. */
export function useUserMenu(onDeed: (deed: Deed) => void): (user: ManagedUser) => readonly MenuItem[] {
  const me = useUser()
  const opens = me?.type === 'admin' || me?.type === 'reseller'
  return (user) => {
    const ask = (kind: Deed['kind']) => () => onDeed({ kind, user })
    const hasBalance = user.balance !== undefined
    if (user.status === 'pending')
      return [
        { label: 'Accept…', icon: CircleCheck, onSelect: ask('accept') },
        { label: 'Reject…', icon: Ban, destructive: true, onSelect: ask('close') },
      ]
    if (user.status === 'closed') return []
    return [
      ...(opens && user.mayOpen ? [{ label: 'Open account', icon: ExternalLink, onSelect: ask('open') }] : []),
      {
        label: 'Add balance…',
        icon: ArrowDownToLine,
        onSelect: ask('add'),
        disabled: hasBalance ? undefined : 'Draws on its organisation’s balance',
      },
      {
        label: 'Deduct balance…',
        icon: ArrowUpFromLine,
        onSelect: ask('deduct'),
        disabled: hasBalance ? undefined : 'Draws on its organisation’s balance',
      },
      'separator',
      { label: 'Edit…', icon: Pencil, onSelect: ask('edit') },
      ...(user.mayOpen ? [{ label: 'Set one-time password…', icon: KeyRound, onSelect: ask('password') }] : []),
      { label: 'Send password link…', icon: Mail, onSelect: ask('link') },
      ...(user.hasSecondFactor ? [{ label: 'Remove second factor…', icon: ShieldOff, onSelect: ask('factor') }] : []),
      { label: 'End sessions…', icon: LogOut, onSelect: ask('sessions') },
      { label: 'Move…', icon: FolderTree, onSelect: ask('move') },
      ...(user.status === 'active'
        ? [
            { label: 'Suspend…', icon: PauseCircle, onSelect: ask('suspend') },
            { label: 'Lock…', icon: Lock, destructive: true, onSelect: ask('lock') },
          ]
        : [{ label: 'Reactivate…', icon: CircleCheck, onSelect: ask('activate') }]),
      { label: 'Close for good…', icon: Ban, destructive: true, onSelect: ask('close') },
    ]
  }
}
