import { useState } from 'react'
import { useApiWrite } from '../../lib/use-api.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/input.tsx'
import { toast } from '../../ui/toast.tsx'

/** Escalates a request to the account above, which answers it from then on. */
export function EscalateDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [note, setNote] = useState('')
  const escalate = useApiWrite('support.escalate', {
    refreshes: ['support.get', 'support.messages', 'support.list'],
    onSuccess({ answeredBy }) {
      toast.success(`Escalated to ${answeredBy?.name ?? 'the account above'}`)
      onClose()
    },
    onError: ({ message }) => toast.error(message),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Escalate this request"
      description="The account above answers from then on. You can still see it and add notes."
      action="Escalate"
      loading={escalate.isPending}
      onConfirm={() => escalate.mutate({ path: { id }, body: { note: note.trim() } })}
    >
      <Field label="Note" hint="optional" help="Seen only by those who answer.">
        <Textarea rows={4} maxLength={1000} value={note} onChange={({ target }) => setNote(target.value)} />
      </Field>
    </ConfirmDialog>
  )
}
