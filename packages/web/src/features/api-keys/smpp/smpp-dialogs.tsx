import { useState } from 'react'
import type { CallData } from '../../../lib/call.ts'
import { SecretDialog, type ShownSecret } from '../../../ui/secret-dialog.tsx'
import { CredentialSheet } from './credential-sheet.tsx'
import { DeactivateCredentialDialog } from './deactivate-credential-dialog.tsx'
import { NewPasswordDialog } from './new-password-dialog.tsx'
import type { SmppAction } from './smpp-action.ts'

const advice =
  'Everyone who has this password can send as your account from the listed addresses. Keep it in the configuration of your SMPP client only.'

/** The form of the chosen action, then the password that it made. Nothing else has the password. */
export function SmppDialogs({ action, onClose }: { action: SmppAction; onClose: () => void }) {
  const [shown, setShown] = useState<ShownSecret>()
  const show = ({ systemId, password }: CallData<'smppCredentials.create'>) =>
    setShown({ title: `Password of ${systemId}`, label: 'Password', noun: 'password', secret: password, advice })
  if (shown) return <SecretDialog shown={shown} onClose={onClose} />
  if (action.kind === 'create')
    return <CredentialSheet apiKeyId={action.apiKey.id} onClose={onClose} onCreated={show} />
  const { credential } = action
  if (action.kind === 'edit') return <CredentialSheet credential={credential} onClose={onClose} onCreated={show} />
  if (action.kind === 'deactivate') return <DeactivateCredentialDialog credential={credential} onClose={onClose} />
  return <NewPasswordDialog credential={credential} onClose={onClose} onChanged={show} />
}
