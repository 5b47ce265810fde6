import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { useState, type FormEvent } from 'react'
import { fieldMessages, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { FormRefusal } from '../../../ui/form-refusal.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import { unplaced } from './create-endpoint-sheet.tsx'
import { draftOf, inputOf } from './endpoint-draft.ts'
import { EndpointFields } from './endpoint-fields.tsx'
import { endpointName } from './endpoint-labels.ts'
import { endpointReads } from './webhook-reads.ts'

/** Changes an endpoint; its environment and its secret stay. */
export function EditEndpointSheet({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(endpoint))
  const update = useApiWrite('webhookEndpoints.update', {
    refreshes: endpointReads,
    onSuccess(saved) {
      onClose()
      toast.success(`${endpointName(saved)} was saved`, { description: 'It applies within 5 seconds.' })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    update.mutate({ path: { id: endpoint.id }, body: inputOf(draft) })
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={<span className="truncate">Edit {endpointName(endpoint)}</span>}
      name={`Edit ${endpointName(endpoint)}`}
      footer={
        <>
          <Button className="ml-auto" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="edit-endpoint" variant="primary" loading={update.isPending}>
            Save endpoint
          </Button>
        </>
      }
    >
      <form id="edit-endpoint" noValidate onSubmit={submit} className="flex flex-col gap-5 p-5">
        <EndpointFields
          draft={draft}
          errors={fieldMessages(update.error)}
          onChange={(patch) => setDraft({ ...draft, ...patch })}
        />
        <FormRefusal text={unplaced(update.error)} />
      </form>
    </Sheet>
  )
}
