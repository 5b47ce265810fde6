import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { useState } from 'react'
import { useApiWrite } from '../../../lib/use-api.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toast.tsx'
import { endpointName, hostOf } from './endpoint-labels.ts'
import { endpointReads } from './webhook-reads.ts'

type DeleteEndpointDialogProps = { endpoint: WebhookEndpoint; onClose: () => void; onDeleted: () => void }

/** Deletes an endpoint with its deliveries, after the host of its URL was typed. */
export function DeleteEndpointDialog({ endpoint, onClose, onDeleted }: DeleteEndpointDialogProps) {
  const [typed, setTyped] = useState('')
  const { id, isOwn, createdBy } = endpoint
  const host = hostOf(endpoint)
  const remove = useApiWrite('webhookEndpoints.delete', {
    refreshes: endpointReads,
    onSuccess() {
      onClose()
      onDeleted()
      toast.success(`${endpointName(endpoint)} was deleted`)
    },
  })
  return (
    <DeleteDialog
      noun="endpoint"
      name={endpointName(endpoint)}
      description={`Its deliveries are deleted as well, and events that occur from now on are not sent to it. This cannot be undone.${
        isOwn ? '' : ` ${createdBy.name} is notified.`
      }`}
      remove={remove}
      disabled={typed.trim() !== host}
      onConfirm={() => remove.mutate({ path: { id } })}
      onClose={onClose}
    >
      <Field label={`Type ${host} to confirm`}>
        <Input
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
    </DeleteDialog>
  )
}
