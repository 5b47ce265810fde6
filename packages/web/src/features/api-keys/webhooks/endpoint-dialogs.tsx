import { useState } from 'react'
import type { CallData } from '../../../lib/call.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { SecretDialog, type ShownSecret } from '../../../ui/secret-dialog.tsx'
import { CreateEndpointSheet } from './create-endpoint-sheet.tsx'
import { DeleteEndpointDialog } from './delete-endpoint-dialog.tsx'
import { EditEndpointSheet } from './edit-endpoint-sheet.tsx'
import { EnableDialog } from './enable-dialog.tsx'
import type { EndpointAction } from './endpoint-action.ts'
import { endpointName } from './endpoint-labels.ts'
import { PublicKeyDialog } from './public-key-dialog.tsx'
import { ReplayMissedDialog, ReplayRangeDialog } from './replay-dialogs.tsx'
import { RotateSecretDialog } from './rotate-secret-dialog.tsx'

type EndpointDialogsProps = { action: EndpointAction; onClose: () => void; onDeleted: () => void }

type Made = CallData<'webhookEndpoints.create'>

/** The form of the chosen action, then the secret or key that it made. Nothing else has the secret, as with API keys. */
export function EndpointDialogs({ action, onClose, onDeleted }: EndpointDialogsProps) {
  const [shown, setShown] = useState<ShownSecret>()
  const [publicKey, setPublicKey] = useState<string>()

  function show(made: Made) {
    if (made.secret !== null) setShown(secretOf(made, made.secret))
    else setPublicKey(made.publicKey ?? undefined)
  }
  if (shown) return <SecretDialog shown={shown} onClose={onClose} />
  if (publicKey) return <PublicKeyDialog publicKey={publicKey} onClose={onClose} />
  if (action.kind === 'create') return <CreateEndpointSheet onClose={onClose} onCreated={show} />
  const { kind, endpoint } = action
  if (kind === 'edit') return <EditEndpointSheet endpoint={endpoint} onClose={onClose} />
  if (kind === 'rotate') return <RotateSecretDialog endpoint={endpoint} onClose={onClose} onRotated={show} />
  if (kind === 'replay-missed') return <ReplayMissedDialog endpoint={endpoint} onClose={onClose} />
  if (kind === 'replay-range') return <ReplayRangeDialog endpoint={endpoint} onClose={onClose} />
  if (kind === 'delete') return <DeleteEndpointDialog endpoint={endpoint} onClose={onClose} onDeleted={onDeleted} />
  return <EnableDialog endpoint={endpoint} enabled={kind === 'enable'} onClose={onClose} />
}

function secretOf(endpoint: Made, secret: string): ShownSecret {
  const { previousSecretUntil } = endpoint
  return {
    title: `Signing secret of ${endpointName(endpoint)}`,
    label: 'Signing secret',
    noun: 'secret',
    secret,
    advice: 'Your server verifies requests with it. Everyone who has it can send requests that your server accepts.',
    former: previousSecretUntil
      ? `Requests are signed with the previous secret as well until ${formatDateTime(previousSecretUntil)}.`
      : undefined,
  }
}
