import type { ReactNode } from 'react'
import { AcceptDialog } from './accept-dialog.tsx'
import { BalanceDialog } from './balance-dialog.tsx'
import type { Deed, DeedDialogProps } from './deed.ts'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { PasswordLinkDialog, SecondFactorDialog, SessionsDialog } from './help-dialogs.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { OneTimePasswordDialog } from './one-time-password-dialog.tsx'
import { OpenAccountDialog } from './open-account-dialog.tsx'
import { OwnBalanceDialog } from './own-balance-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'

const dialogs: Record<Deed['kind'], (props: DeedDialogProps) => ReactNode> = {
  open: OpenAccountDialog,
  add: (props) => <BalanceDialog {...props} direction="add" />,
  deduct: (props) => <BalanceDialog {...props} direction="deduct" />,
  edit: EditUserDialog,
  password: OneTimePasswordDialog,
  link: PasswordLinkDialog,
  factor: SecondFactorDialog,
  sessions: SessionsDialog,
  'own-balance': OwnBalanceDialog,
  move: MoveDialog,
  accept: AcceptDialog,
  suspend: (props) => <StatusDialog {...props} change="suspend" />,
  lock: (props) => <StatusDialog {...props} change="lock" />,
  activate: (props) => <StatusDialog {...props} change="activate" />,
  close: (props) => <StatusDialog {...props} change="close" />,
}

/** The dialog for the chosen action. */
export function UserDialogs({ deed, onClose }: { deed: Deed | undefined; onClose: () => void }) {
  if (!deed) return null
  const DeedDialog = dialogs[deed.kind]
  return <DeedDialog user={deed.user} onClose={onClose} />
}
