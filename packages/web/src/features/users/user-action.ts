import type { ManagedUser } from '@carillon/contract/users'

/** Something that is about to be done with an account. */
export type UserAction = {
  kind:
    | 'open'
    | 'add'
    | 'deduct'
    | 'edit'
    | 'move'
    | 'suspend'
    | 'lock'
    | 'activate'
    | 'close'
    | 'accept'
    | 'password'
    | 'link'
    | 'factor'
    | 'sessions'
    | 'own-balance'
  user: ManagedUser
}

export type ActionDialogProps = { user: ManagedUser; onClose: () => void }
