import type { ReactNode } from 'react'
import { AcceptDialog } from './accept-dialog.tsx'
import { BalanceDialog } from './balance-dialog.tsx'
import type { UserAction, ActionDialogProps } from './user-action.ts'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { PasswordLinkDialog, SecondFactorDialog, SessionsDialog } from './help-dialogs.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { OneTimePasswordDialog } from './one-time-password-dialog.tsx'
import { OpenAccountDialog } from './open-account-dialog.tsx'
import { OwnBalanceDialog } from './own-balance-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'

const dialogs: Record<UserAction['kind'], (props: ActionDialogProps) => ReactNode> = {
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
export function UserDialogs({ action, onClose }: { action: UserAction | undefined; onClose: () => void }) {
  if (!action) return null
  const ActionDialog = dialogs[action.kind]
  return <ActionDialog user={action.user} onClose={onClose} />
}
