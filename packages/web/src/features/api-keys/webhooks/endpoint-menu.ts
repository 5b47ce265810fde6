import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { Copy, KeyRound, Pencil, Play, RotateCw, Send, Trash2, Ban } from 'lucide-react'
import { copy } from '../../../ui/copy.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { EndpointAction } from './endpoint-action.ts'

export type Asking = {
  onAction: (action: EndpointAction) => void
  onTest: (endpoint: WebhookEndpoint) => void
  /** Why secrets cannot be made here; undefined if they can. */
  closed: string | undefined
}

const notOwner = 'Only its owner can do this'

/** Why nothing can be sent to an endpoint; undefined if it can. */
export function notSendable({ isOwn, enabled }: WebhookEndpoint): string | undefined {
  if (!isOwn) return notOwner
  return enabled ? undefined : 'Enable it first'
}

/** Owners change their endpoints. Accounts above can only delete them. */
export function endpointMenu(endpoint: WebhookEndpoint, { onAction, onTest, closed }: Asking): readonly MenuItem[] {
  type Kind = Exclude<EndpointAction['kind'], 'create'>
  const ask = (kind: Kind) => () => onAction({ kind, endpoint })
  const owned = endpoint.isOwn ? undefined : notOwner
  const sending = notSendable(endpoint)
  return [
    { label: 'Edit…', icon: Pencil, onSelect: ask('edit'), disabled: owned },
    { label: 'Send test event', icon: Send, onSelect: () => onTest(endpoint), disabled: sending },
    { label: 'Replay missed…', icon: RotateCw, onSelect: ask('replay-missed'), disabled: sending },
    { label: 'Replay a time range…', icon: RotateCw, onSelect: ask('replay-range'), disabled: sending },
    { label: 'Rotate secret…', icon: KeyRound, onSelect: ask('rotate'), disabled: owned ?? closed },
    { label: 'Copy URL', icon: Copy, onSelect: () => copy(endpoint.url, () => toast.success('Copied')) },
    'separator',
    endpoint.enabled
      ? { label: 'Disable…', icon: Ban, onSelect: ask('disable'), disabled: owned }
      : { label: 'Enable…', icon: Play, onSelect: ask('enable'), disabled: owned },
    { label: 'Delete…', icon: Trash2, destructive: true, onSelect: ask('delete') },
  ]
}
