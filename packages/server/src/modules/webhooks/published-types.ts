import type { WebhookEventType } from '@carillon/contract/webhook-records'
import type { PublishedType } from '../../events/domain-events.ts'

/** The recorded events that each type of webhook comes from. */
const sources: Record<WebhookEventType, readonly PublishedType[]> = {
  'message.sent': ['message.status'],
  'message.delivered': ['message.status'],
  'message.read': ['message.status'],
  'message.failed': ['message.status'],
  'message.expired': ['message.status'],
  'message.clicked': ['message.clicked'],
  'message.inbound': ['message.received'],
  'conversation.opened': ['conversation.opened'],
  'conversation.assigned': ['conversation.noted'],
  'conversation.resolved': ['conversation.noted'],
  'contact.opted_out': ['person.opted_out'],
  'contact.opted_in': ['person.opted_in'],
  'template.status_changed': ['template.changed'],
  'template.quality_changed': ['template.changed'],
  'template.category_changed': ['template.changed'],
  'channel.connected': ['connection.changed', 'sender.changed'],
  'channel.disconnected': ['connection.changed', 'sender.changed'],
  'channel.quality_changed': ['sender.changed'],
  'campaign.started': ['campaign.changed'],
  'campaign.paused': ['campaign.changed'],
  'campaign.completed': ['campaign.changed'],
  'topup.requested': ['topup.changed'],
  'topup.completed': ['topup.changed'],
  'balance.low': ['balance.low'],
}

export function publishedTypesOf(types: readonly WebhookEventType[]): PublishedType[] {
  return [...new Set(types.flatMap((type) => sources[type]))]
}
