import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import type { WebhookEndpoint, WebhookEventType, WebhookSignature } from '@carillon/contract/webhook-records'
import { defaultTypes } from './event-groups.ts'

export type EndpointDraft = {
  url: string
  description: string
  environment: ApiEnvironment
  types: readonly WebhookEventType[]
  ordered: boolean
  signature: WebhookSignature
}

export const emptyDraft: EndpointDraft = {
  url: '',
  description: '',
  environment: 'live',
  types: defaultTypes,
  ordered: false,
  signature: 'v1',
}

export function draftOf({ url, description, environment, types, ordered, signature }: WebhookEndpoint): EndpointDraft {
  return { url, description, environment, types, ordered, signature }
}

/** What can be changed later, too. */
export function inputOf({ url, description, types, ordered }: EndpointDraft) {
  return { url: url.trim(), description: description.trim(), types: [...types], ordered }
}
