import { AcceptDialog } from './accept-dialog.tsx'
import { BalanceDialog } from './balance-dialog.tsx'
import type { Deed } from './deed.ts'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { OpenAccountDialog } from './open-account-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'

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
