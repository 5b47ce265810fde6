import type { ManagedUser } from '@carillon/contract/users'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { PendingEmail } from '../../ui/pending-email.tsx'
import { toast } from '../../ui/toast.tsx'
import { accountReads } from './reads.ts'

/** The pending e-mail address of an account below. The dialog keeps its initial account, so cancelling hides this here. */
export function UserPendingEmail({ user }: { user: ManagedUser }) {
  const [isCancelled, setCancelled] = useState(false)
  const resend = useApiWrite('emailChange.resend', {
    refreshes: accountReads,
    onSuccess: () => toast.success('We sent the link again'),
  })
  const cancel = useApiWrite('emailChange.cancel', {
    refreshes: accountReads,
    onSuccess: () => setCancelled(true),
  })
  const { pendingEmail: pending, mayOpen, _id: userId } = user
  if (!pending || isCancelled) return null
  if (!mayOpen) return <p className="text-dense text-muted-foreground">Waiting for confirmation: {pending.email}</p>
  return (
    <PendingEmail
      email={pending.email}
      expires={formatDateTime(pending.expiresAt)}
      isBusy={resend.isPending || cancel.isPending}
      error={(resend.error ?? cancel.error)?.message}
      onResend={() => resend.mutate({ body: { userId } })}
      onCancel={() => cancel.mutate({ body: { userId } })}
    />
  )
}
