import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { ActionDialogProps } from './user-action.ts'

/** For owners who cannot receive mail. The password is shown once. */
export function OneTimePasswordDialog({ user, onClose }: ActionDialogProps) {
  const [made, setMade] = useState<{ oneTimePassword: string; expiresAt: string }>()
  const set = useApiWrite('users.setOneTimePassword', { onSuccess: setMade })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={made ? 'One-time password' : `Set a one-time password for ${user.name}?`}
      description={
        made
          ? 'Copy it now. It is not shown again.'
          : 'Use this if the owner can’t receive email. The current password stops working and every session is signed out. The owner is notified.'
      }
      footer={
        made ? (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              loading={set.isPending}
              onClick={() => set.mutate({ path: { userId: user._id } })}
            >
              Set one-time password
            </Button>
          </>
        )
      }
    >
      {made ? (
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 [&_dt]:text-muted-foreground">
          <dt>Username</dt>
          <dd>{user.username}</dd>
          <dt>Password</dt>
          <dd>
            <Copyable text={made.oneTimePassword} label="Copy the password" />
          </dd>
          <dt>Expires</dt>
          <dd>{formatDateTime(made.expiresAt)}</dd>
        </dl>
      ) : (
        <div className="flex flex-col gap-3">
          <p>
            The password works for 24 hours and must be changed at the first login. Two-factor authentication stays on.
          </p>
          {set.error ? <Notice tone="bad">{set.error.message}</Notice> : null}
        </div>
      )}
    </Dialog>
  )
}
