import { countOf } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import type { ActionDialogProps } from './user-action.ts'
import { accountReads } from './reads.ts'

const complain = ({ message }: Error) => toast.error(message)

/** For an owner who forgot the password. */
export function PasswordLinkDialog({ user, onClose }: ActionDialogProps) {
  const send = useApiWrite('users.sendPasswordLink', {
    onSuccess({ email, isMailed }) {
      onClose()
      if (isMailed) toast.success(`A link was mailed to ${email}`, { description: 'It works once, within 24 hours.' })
      else
        toast.error('Email isn’t configured, so no link was sent', {
          description: 'Set a one-time password instead.',
        })
    },
    onError: complain,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Send a password link to ${user.name}?`}
      description={`${user.email} gets a link to set a new password. It works once, within 24 hours. The current password stays until then.`}
      action="Send link"
      loading={send.isPending}
      onConfirm={() => send.mutate({ path: { userId: user._id } })}
    />
  )
}

/** For an owner who lost the phone and the recovery codes. */
export function SecondFactorDialog({ user, onClose }: ActionDialogProps) {
  const remove = useApiWrite('users.removeSecondFactor', {
    refreshes: accountReads,
    onSuccess() {
      onClose()
      toast.success(`${user.name} signs in with the password alone now`)
    },
    onError: complain,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Turn off two-factor authentication of ${user.name}?`}
      description="The next login requires only the password. Make sure the owner requested this. The owner is notified."
      action="Turn off"
      destructive
      loading={remove.isPending}
      onConfirm={() => remove.mutate({ path: { userId: user._id } })}
    />
  )
}

export function SessionsDialog({ user, onClose }: ActionDialogProps) {
  const end = useApiWrite('users.endSessions', {
    refreshes: accountReads,
    onSuccess({ ended }) {
      onClose()
      toast.success(
        ended === 0 ? `${user.name} was not signed in` : `${countOf(ended, 'session')} of ${user.name} ended`,
      )
    },
    onError: complain,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`End all sessions of ${user.name}?`}
      description="Every browser that is signed in to this account is signed out at once. The password stays as it is."
      action="End sessions"
      destructive
      loading={end.isPending}
      onConfirm={() => end.mutate({ path: { userId: user._id } })}
    />
  )
}
