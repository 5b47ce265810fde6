import type { ApiKey } from '@carillon/contract/api-key-records'
import { useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { keyReads } from './key-reads.ts'

/** Deactivates a key for good, after its name was typed. */
export function DeactivateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const { id, name, usage, isOwn, createdBy } = apiKey
  const deactivate = useApiWrite('apiKeys.deactivate', {
    refreshes: keyReads,
    onSuccess() {
      onClose()
      toast.success(`${name} was deactivated`)
    },
  })
  const used = usage.today > 0 ? ` It made ${countOf(usage.today, 'call')} today.` : ''
  const notice = isOwn ? '' : ` ${createdBy.name} is notified.`
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Deactivate ${name}?`}
      description={`Calls with this key fail within 5 seconds. This cannot be undone.${used}${notice}`}
      action="Deactivate key"
      destructive
      loading={deactivate.isPending}
      disabled={typed.trim() !== name}
      onConfirm={() => deactivate.mutate({ path: { id } })}
    >
      <div className="flex flex-col gap-3">
        <Field label={`Type ${name} to confirm`}>
          <Input
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        {deactivate.error ? <Notice tone="bad">{deactivate.error.message}</Notice> : null}
      </div>
    </ConfirmDialog>
  )
}
