import { webhookEvents, type WebhookEventType } from '@carillon/contract/webhook-records'

type Subject = WebhookEventType extends `${infer Name}.${string}` ? Name : never

const groupLabels: Record<Subject, string> = {
  message: 'Messages',
  conversation: 'Conversations',
  contact: 'Opt-outs',
  template: 'Templates',
  channel: 'Channels',
  campaign: 'Campaigns',
  topup: 'Balance',
  balance: 'Balance',
}

// The keys of the table are the types.
export const eventTypes = Object.keys(webhookEvents) as WebhookEventType[]

// A type begins with its subject.
const subjectOf = (type: WebhookEventType) => type.slice(0, type.indexOf('.')) as Subject

export type EventGroup = { label: string; types: readonly WebhookEventType[] }

/** Every type, by what it is about. */
export const eventGroups: readonly EventGroup[] = [...new Set(Object.values(groupLabels))].map((label) => ({
  label,
  types: eventTypes.filter((type) => groupLabels[subjectOf(type)] === label),
}))

/** What most programs need. */
export const defaultTypes: readonly WebhookEventType[] = eventTypes.filter((type) => subjectOf(type) === 'message')
