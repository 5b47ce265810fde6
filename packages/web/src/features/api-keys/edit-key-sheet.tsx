import type { ApiKey } from '@carillon/contract/api-key-records'
import { useState, type FormEvent } from 'react'
import { fieldMessages, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.tsx'
import { unplaced } from './create-key-sheet.tsx'
import { draftOf, inputOf } from './key-draft.ts'
import { KeyFields } from './key-fields.tsx'
import { keyReads } from './key-reads.ts'
import { useUsableScopes } from './use-usable-scopes.ts'

/** Changes a key; its secret and environment stay. */
export function EditKeySheet({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const usable = useUsableScopes()
  const [draft, setDraft] = useState(() => draftOf(apiKey))
  const update = useApiWrite('apiKeys.update', {
    refreshes: keyReads,
    onSuccess({ name }) {
      onClose()
      toast.success(`${name} was saved`, { description: 'Programs notice within 5 seconds.' })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    update.mutate({ path: { id: apiKey.id }, body: inputOf(draft) })
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Edit ${apiKey.name}`}
      footer={
        <>
          <Button className="ml-auto" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="edit-key" variant="primary" loading={update.isPending}>
            Save key
          </Button>
        </>
      }
    >
      <form id="edit-key" noValidate onSubmit={submit} className="flex flex-col gap-5 p-5">
        <KeyFields
          draft={draft}
          errors={fieldMessages(update.error)}
          usable={usable}
          expiresAt={apiKey.expiresAt}
          onChange={(patch) => setDraft({ ...draft, ...patch })}
        />
        <FormRefusal text={unplaced(update.error)} />
      </form>
    </Sheet>
  )
}
