import { useState, type FormEvent } from 'react'
import type { CallData } from '../../../lib/call.ts'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { FormRefusal } from '../../../ui/form-refusal.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { emptyDraft, inputOf } from './endpoint-draft.ts'
import { EndpointFields, endpointFields } from './endpoint-fields.tsx'
import { endpointReads } from './webhook-reads.ts'

type CreateEndpointSheetProps = {
  onClose: () => void
  onCreated: (endpoint: CallData<'webhookEndpoints.create'>) => void
}

/** A new endpoint. Its secret is shown by the component that opened the sheet. */
export function CreateEndpointSheet({ onClose, onCreated }: CreateEndpointSheetProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const create = useApiWrite('webhookEndpoints.create', { refreshes: endpointReads, onSuccess: onCreated })

  function submit(event: FormEvent) {
    event.preventDefault()
    const { environment, signature } = draft
    create.mutate({ body: { ...inputOf(draft), environment, signature } })
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add endpoint"
      footer={
        <>
          <Button className="ml-auto" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="create-endpoint" variant="primary" loading={create.isPending}>
            Add endpoint
          </Button>
        </>
      }
    >
      <form id="create-endpoint" noValidate onSubmit={submit} className="flex flex-col gap-5 p-5">
        <EndpointFields
          isNew
          draft={draft}
          errors={fieldMessages(create.error)}
          onChange={(patch) => setDraft({ ...draft, ...patch })}
        />
        <FormRefusal text={unplaced(create.error)} />
      </form>
    </Sheet>
  )
}

/** Errors of entries of a list belong to the list. */
export function unplaced(error: Parameters<typeof unplacedMessage>[0]): string | undefined {
  const shown = (error?.details ?? []).map(({ field }) => field)
  return unplacedMessage(
    error,
    shown.filter((field) => endpointFields.includes(field.split('.')[0] ?? field)),
  )
}
