import { useState, type FormEvent } from 'react'
import type { CallData } from '../../lib/call.ts'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { inputOf, newDraft } from './key-draft.ts'
import { KeyFields, keyFields } from './key-fields.tsx'
import { keyReads } from './key-reads.ts'
import { defaultScopes } from './scopes.ts'
import { useUsableScopes } from './use-usable-scopes.ts'

type CreateKeySheetProps = { onClose: () => void; onCreated: (key: CallData<'apiKeys.create'>) => void }

/** A new key. Its secret is shown by the component that opened the sheet. */
export function CreateKeySheet({ onClose, onCreated }: CreateKeySheetProps) {
  const usable = useUsableScopes()
  const [changes, setChanges] = useState<Partial<ReturnType<typeof newDraft>>>({})
  const draft = { ...newDraft(defaultScopes(usable)), ...changes }
  const create = useApiWrite('apiKeys.create', { refreshes: keyReads, onSuccess: onCreated })
  const errors = fieldMessages(create.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate({ body: { ...inputOf(draft), environment: draft.environment } })
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title="Create API key"
      footer={
        <>
          <Button className="ml-auto" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="create-key" variant="primary" loading={create.isPending}>
            Create key
          </Button>
        </>
      }
    >
      <form id="create-key" noValidate onSubmit={submit} className="flex flex-col gap-5 p-5">
        <KeyFields
          isNew
          draft={draft}
          errors={errors}
          usable={usable}
          onChange={(patch) => setChanges({ ...changes, ...patch })}
        />
        <FormRefusal text={unplaced(create.error)} />
      </form>
    </Sheet>
  )
}

/** Errors of entries of a list belong to the list. */
export function unplaced(error: Parameters<typeof unplacedMessage>[0]): string | undefined {
  const shown = (error?.details ?? []).map(({ field }) => field).filter((field) => keyFields.includes(rootOf(field)))
  return unplacedMessage(error, shown)
}

const rootOf = (field: string) => field.split('.')[0] ?? field
