import type { SmppCredential } from '@carillon/contract/smpp-credential-records'
import { useApiWrite } from '../../../lib/use-api.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import { smppReads } from './smpp-action.ts'

type DeactivateCredentialDialogProps = { credential: SmppCredential; onClose: () => void }

/** Deactivates credentials for good. */
export function DeactivateCredentialDialog({ credential, onClose }: DeactivateCredentialDialogProps) {
  const { id, systemId, isOwn, createdBy } = credential
  const deactivate = useApiWrite('smppCredentials.deactivate', {
    refreshes: smppReads,
    onSuccess() {
      onClose()
      toast.success(`${systemId} was deactivated`)
    },
  })
  const notice = isOwn ? '' : ` ${createdBy.name} is notified.`
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Deactivate ${systemId}?`}
      description={`Its sessions end within 5 seconds, and receipts that wait are deleted. This cannot be undone.${notice}`}
      action="Deactivate credentials"
      destructive
      loading={deactivate.isPending}
      onConfirm={() => deactivate.mutate({ path: { id } })}
    >
      {deactivate.error ? <Notice tone="bad">{deactivate.error.message}</Notice> : null}
    </ConfirmDialog>
  )
}
