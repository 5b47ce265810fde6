import type { ManagedUser } from '@carillon/contract/people'
import { AcceptDialog } from './accept-dialog.tsx'
import { BalanceDialog } from './balance-dialog.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { OpenAccountDialog } from './open-account-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'

/** Something that is about to be done with an account. */
export type Deed = {
  kind: 'open' | 'add' | 'deduct' | 'edit' | 'move' | 'suspend' | 'lock' | 'activate' | 'close' | 'accept'
  user: ManagedUser
}

export type DeedDialogProps = { user: ManagedUser; onClose: () => void }

/** The dialog of the deed that was asked for. */
export function UserDialogs({ deed, onClose }: { deed: Deed | undefined; onClose: () => void }) {
  if (!deed) return null
  const { kind, user } = deed
  const common = { user, onClose }
  switch (kind) {
    case 'open':
      return <OpenAccountDialog {...common} />
    case 'add':
    case 'deduct':
      return <BalanceDialog {...common} direction={kind} />
    case 'edit':
      return <EditUserDialog {...common} />
    case 'move':
      return <MoveDialog {...common} />
    case 'accept':
      return <AcceptDialog {...common} />
    case 'suspend':
    case 'lock':
    case 'activate':
    case 'close':
      return <StatusDialog {...common} change={kind} />
  }
}
