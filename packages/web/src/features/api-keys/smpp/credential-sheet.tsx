import type { SmppCredential } from '@carillon/contract/smpp-credential-records'
import { useState, type FormEvent } from 'react'
import type { CallData } from '../../../lib/call.ts'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormRefusal } from '../../../ui/form-refusal.tsx'
import { Input, Textarea } from '../../../ui/input.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import { linesOf, listError } from '../key-draft.ts'
import { smppReads } from './smpp-action.ts'

type CredentialSheetProps = {
  onClose: () => void
  onCreated: (credential: CallData<'smppCredentials.create'>) => void
} & ({ apiKeyId: string; credential?: never } | { credential: SmppCredential; apiKeyId?: never })

/** New credentials of a key, or the addresses and sessions of existing ones. */
export function CredentialSheet({ apiKeyId, credential, onClose, onCreated }: CredentialSheetProps) {
  const [addresses, setAddresses] = useState(() => credential?.addresses.join('\n') ?? '')
  const [sessions, setSessions] = useState(() => String(credential?.maximumSessions ?? 2))
  const create = useApiWrite('smppCredentials.create', { refreshes: smppReads, onSuccess: onCreated })
  const update = useApiWrite('smppCredentials.update', {
    refreshes: smppReads,
    onSuccess({ systemId }) {
      onClose()
      toast.success(`${systemId} was saved`, { description: 'Sessions follow within 5 seconds.' })
    },
  })
  const write = credential ? update : create
  const errors = fieldMessages(write.error)
  const listed = linesOf(addresses)

  function submit(event: FormEvent) {
    event.preventDefault()
    const body = { addresses: listed, maximumSessions: Number(sessions) }
    if (credential) update.mutate({ path: { id: credential.id }, body })
    else create.mutate({ body: { ...body, apiKeyId } })
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={credential ? `Edit ${credential.systemId}` : 'Add SMPP credentials'}
      footer={
        <>
          <Button className="ml-auto" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="smpp-credential" variant="primary" loading={write.isPending}>
            {credential ? 'Save credentials' : 'Add credentials'}
          </Button>
        </>
      }
    >
      <form id="smpp-credential" noValidate onSubmit={submit} className="flex flex-col gap-5 p-5">
        <Field
          label="Allowed addresses"
          help="One per line, such as 203.0.113.7 or 203.0.113.0/24. Binds from other addresses are refused."
          error={listError(errors, 'addresses', listed)}
        >
          <Textarea
            rows={3}
            spellCheck={false}
            className="font-mono text-dense"
            value={addresses}
            onChange={({ target }) => setAddresses(target.value)}
          />
        </Field>
        <Field label="Sessions" help="Bound at the same time, 10 at most." error={errors['maximumSessions']}>
          <Input type="number" min={1} max={10} value={sessions} onChange={({ target }) => setSessions(target.value)} />
        </Field>
        <FormRefusal text={unplacedMessage(write.error, ['addresses', 'maximumSessions', ...listedFields(listed)])} />
      </form>
    </Sheet>
  )
}

/** Errors of entries are shown with the list. */
function listedFields(listed: readonly string[]): string[] {
  return listed.map((_, index) => `addresses.${index}`)
}
