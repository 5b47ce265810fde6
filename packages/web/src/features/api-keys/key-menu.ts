import type { ApiKey } from '@carillon/contract/api-key-records'
import { Ban, Copy, Pencil, RotateCw } from 'lucide-react'
import { copy } from '../../ui/copy.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import type { KeyAction } from './key-action.ts'

type Asking = { onAction: (action: KeyAction) => void; closed: string | undefined }

/** Owners change their keys. Accounts above can only deactivate them. */
export function keyMenu(apiKey: ApiKey, { onAction, closed }: Asking): readonly MenuItem[] {
  const ask = (kind: KeyAction['kind']) => () => onAction({ kind, apiKey })
  const copyId = { label: 'Copy id', icon: Copy, onSelect: () => copy(apiKey.id, () => toast.success('Copied')) }
  if (apiKey.status === 'deactivated') return [copyId]
  const notOwn = apiKey.isOwn ? closed : 'Only its owner can change it'
  const notRegenerated = apiKey.status === 'expired' ? 'It has expired: set a later expiry first' : undefined
  return [
    { label: 'Edit…', icon: Pencil, onSelect: ask('edit'), disabled: notOwn },
    { label: 'Regenerate…', icon: RotateCw, onSelect: ask('regenerate'), disabled: notOwn ?? notRegenerated },
    copyId,
    'separator',
    { label: 'Deactivate…', icon: Ban, destructive: true, onSelect: ask('deactivate'), disabled: closed },
  ]
}
