import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import { useState } from 'react'
import type { CallData } from '../../lib/call.ts'
import { formatDateTime } from '../../lib/format.ts'
import { CreateKeySheet } from './create-key-sheet.tsx'
import { DeactivateKeyDialog } from './deactivate-key-dialog.tsx'
import { EditKeySheet } from './edit-key-sheet.tsx'
import type { KeyAction } from './key-action.ts'
import { RegenerateKeyDialog } from './regenerate-key-dialog.tsx'
import { SecretDialog, type ShownSecret } from '../../ui/secret-dialog.tsx'

const advice: Record<ApiEnvironment, string> = {
  live: 'Everyone who has this key can act as your account. Keep it on your server, never in a browser, an app or a repository.',
  test: 'Everyone who has this key can read what your account can read, and send to the sandbox. Keep it out of repositories.',
}

type KeyDialogsProps = { action: KeyAction | { kind: 'create' }; onClose: () => void }

/**
 * The form of the chosen action, then the secret that it made. Nothing else has the secret: it is gone when this component is
 * unmounted. A state that is only set to another value would be kept by React until the next change.
 */
export function KeyDialogs({ action, onClose }: KeyDialogsProps) {
  const [shown, setShown] = useState<ShownSecret>()
  const show = ({ name, environment, secret, graceUntil }: CallData<'apiKeys.create'>) =>
    setShown({
      title: `New key: ${name}`,
      label: 'API key',
      noun: 'key',
      secret,
      advice: advice[environment],
      former: graceUntil ? `The old secret works until ${formatDateTime(graceUntil)}.` : undefined,
    })
  if (shown) return <SecretDialog shown={shown} onClose={onClose} />
  if (action.kind === 'create') return <CreateKeySheet onClose={onClose} onCreated={show} />
  if (action.kind === 'edit') return <EditKeySheet apiKey={action.apiKey} onClose={onClose} />
  if (action.kind === 'deactivate') return <DeactivateKeyDialog apiKey={action.apiKey} onClose={onClose} />
  return <RegenerateKeyDialog apiKey={action.apiKey} onClose={onClose} onRegenerated={show} />
}
