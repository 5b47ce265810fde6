import type { WebhookEndpoint } from '@carillon/contract/webhook-records'

type Kind = 'edit' | 'rotate' | 'enable' | 'disable' | 'replay-missed' | 'replay-range' | 'delete'

export type EndpointAction = { kind: 'create' } | { kind: Kind; endpoint: WebhookEndpoint }
