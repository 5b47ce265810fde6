import type { ManagedUser } from '@carillon/contract/users'

/** An action on an account, chosen and not confirmed yet. */
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
