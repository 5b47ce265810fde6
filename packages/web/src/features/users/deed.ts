import type { ManagedUser } from '@carillon/contract/people'

/** Something that is about to be done with an account. */
export type Deed = {
  kind: 'open' | 'add' | 'deduct' | 'edit' | 'move' | 'suspend' | 'lock' | 'activate' | 'close' | 'accept' | 'password'
  user: ManagedUser
}

export type DeedDialogProps = { user: ManagedUser; onClose: () => void }
