import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { healthOf } from './endpoint-labels.ts'

type EndpointNoticesProps = { endpoint: WebhookEndpoint; shape?: 'bar' | 'panel'; actions?: ReactNode }

/** What an endpoint's state means, and how long its previous secret is used. */
export function EndpointNotices({ endpoint, shape = 'panel', actions }: EndpointNoticesProps) {
  const { text, tone } = healthOf(endpoint)
  const { previousSecretUntil } = endpoint
  return (
    <>
      {text ? (
        <Notice tone={tone === 'bad' ? 'bad' : tone === 'care' ? 'care' : 'info'} shape={shape} actions={actions}>
          {text}
        </Notice>
      ) : null}
      {previousSecretUntil ? (
        <Notice tone="info" shape={shape}>
          Requests are signed with the previous secret as well until {formatDateTime(previousSecretUntil)}.
        </Notice>
      ) : null}
    </>
  )
}
