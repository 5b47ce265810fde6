import type { DeliveryStatus, DisabledReason, WebhookEndpoint } from '@carillon/contract/webhook-records'
import { Ban, CircleCheck, CircleDashed, Clock, OctagonX, PackageOpen, TriangleAlert } from 'lucide-react'
import { formatDateTime } from '../../../lib/format.ts'
import type { Look } from '../look-pill.tsx'

export const deliveryLooks: Record<DeliveryStatus, Look> = {
  pending: { label: 'Pending', tone: 'info', icon: Clock },
  failed: { label: 'Failed, retrying', tone: 'care', icon: TriangleAlert },
  delivered: { label: 'Delivered', tone: 'good', icon: CircleCheck },
  dead: { label: 'Dead', tone: 'bad', icon: OctagonX },
  retained: { label: 'Kept', tone: 'neutral', icon: PackageOpen },
}

const disabledTexts: Record<DisabledReason, string> = {
  owner: 'A member disabled this endpoint',
  gone: 'This endpoint was disabled because it answered 410 Gone',
  failing: 'This endpoint was disabled because all attempts of five days failed',
}

type Health = Look & {
  /** What it means, if there is something to do or to wait for. */
  text?: string
}

type Facts = Pick<
  WebhookEndpoint,
  'enabled' | 'disabledReason' | 'disabledAt' | 'failingSince' | 'heldUntil' | 'lastDeliveredAt'
>

export function healthOf(endpoint: Facts): Health {
  const { enabled, failingSince, heldUntil, lastDeliveredAt } = endpoint
  if (!enabled) return disabledHealth(endpoint)
  const wait = heldUntil ? ` Nothing is sent until ${formatDateTime(heldUntil)}, to give it time.` : ''
  if (failingSince)
    return {
      label: 'Failing',
      tone: 'bad',
      icon: TriangleAlert,
      text: `Every attempt since ${formatDateTime(failingSince)} has failed.${wait} After five days it is disabled.`,
    }
  if (heldUntil) return { label: 'On hold', tone: 'care', icon: Clock, text: wait.trim() }
  if (lastDeliveredAt) return { label: 'Working', tone: 'good', icon: CircleCheck }
  return { label: 'Not used yet', tone: 'neutral', icon: CircleDashed }
}

function disabledHealth({ disabledReason, disabledAt }: Facts): Health {
  const reason = disabledTexts[disabledReason ?? 'owner']
  const since = disabledAt ? ` on ${formatDateTime(disabledAt)}` : ''
  return {
    label: 'Disabled',
    tone: disabledReason === 'owner' ? 'neutral' : 'bad',
    icon: Ban,
    text: `${reason}${since}. New events are kept: enable it, then replay what was missed.`,
  }
}

/** The URL without its protocol. */
export function endpointName({ url }: Pick<WebhookEndpoint, 'url'>): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

export function hostOf({ url }: Pick<WebhookEndpoint, 'url'>): string {
  return new URL(url).host
}

export const schemeLabels: Record<WebhookEndpoint['signature'], string> = {
  v1: 'HMAC-SHA256 (v1)',
  v1a: 'Ed25519 (v1a)',
}
