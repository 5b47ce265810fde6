import type { SmppCredential } from '@carillon/contract/smpp-credential-records'
import type { CallData } from '../../../lib/call.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { smppReads } from './smpp-action.ts'

type NewPasswordDialogProps = {
  credential: SmppCredential
  onClose: () => void
  onChanged: (credential: CallData<'smppCredentials.newPassword'>) => void
}

/** Replaces the password of credentials. */
export function NewPasswordDialog({ credential, onClose, onChanged }: NewPasswordDialogProps) {
  const change = useApiWrite('smppCredentials.newPassword', { refreshes: smppReads, onSuccess: onChanged })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`New password for ${credential.systemId}?`}
      description="The old password ends now. Bound sessions stay; new binds need the new password."
      action="Create password"
      destructive
      loading={change.isPending}
      onConfirm={() => change.mutate({ path: { id: credential.id }, body: {} })}
    >
      {change.error ? <Notice tone="bad">{change.error.message}</Notice> : null}
    </ConfirmDialog>
  )
}
