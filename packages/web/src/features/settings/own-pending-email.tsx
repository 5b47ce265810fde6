import type { PendingEmail as Pending } from '@carillon/contract/accounts'
import { formatDateTime } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { PendingEmail } from '../../ui/pending-email.tsx'
import { toast } from '../../ui/toast.tsx'

/** The signed-in account's pending e-mail address. */
export function OwnPendingEmail({ pending }: { pending: Pending }) {
  const resend = useApiWrite('emailChange.resend', {
    refreshes: ['profile.details'],
    onSuccess: () => toast.success(`We sent the link to ${pending.email} again`),
  })
  const cancel = useApiWrite('emailChange.cancel', {
    refreshes: ['profile.details'],
    onSuccess: () => toast.success('Your email address stays as it is'),
  })
  return (
    <PendingEmail
      email={pending.email}
      expires={formatDateTime(pending.expiresAt)}
      isBusy={resend.isPending || cancel.isPending}
      error={(resend.error ?? cancel.error)?.message}
      onResend={() => resend.mutate({ body: {} })}
      onCancel={() => cancel.mutate({ body: {} })}
    />
  )
}
