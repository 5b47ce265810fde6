import type { DeliveryAttempt, WebhookDelivery, WebhookEndpoint } from '@carillon/contract/webhook-records'
import { ChevronDown, RotateCw } from 'lucide-react'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts, type Fact } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { When } from '../../../ui/text.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Code, prettyJson } from '../code.tsx'
import { LookPill } from '../look-pill.tsx'
import { WriteButton } from '../write-button.tsx'
import { deliveryLooks } from './endpoint-labels.ts'
import { notSendable } from './endpoint-menu.ts'
import { headersOf } from './request-text.ts'
import { deliveryReads } from './webhook-reads.ts'

type DeliveryPeekProps = { delivery: WebhookDelivery; endpoint: WebhookEndpoint | undefined }

/** A delivery: its attempts with what was answered, and the request. */
export function DeliveryPeek({ delivery, endpoint }: DeliveryPeekProps) {
  const { status, attempts } = delivery
  return (
    <div className="flex flex-col gap-6 px-5 py-4">
      <div className="flex flex-wrap items-center gap-2">
        <LookPill look={deliveryLooks[status]} />
        {endpoint && status !== 'pending' ? <Replay delivery={delivery} endpoint={endpoint} /> : null}
      </div>
      <Facts facts={factsOf(delivery)} />
      <section className="flex min-w-0 flex-col gap-2">
        <h3 className="font-medium">Attempts</h3>
        {attempts.length === 0 ? <p className="text-muted-foreground">{noAttempt[status] ?? 'None'}</p> : null}
        <ol reversed className="flex flex-col gap-2">
          {attempts.toReversed().map((attempt, index) => (
            <Attempt key={`${attempt.at} ${index}`} attempt={attempt} isOpen={index === 0} />
          ))}
        </ol>
      </section>
      <Request delivery={delivery} endpoint={endpoint} />
    </div>
  )
}

const noAttempt: Partial<Record<WebhookDelivery['status'], string>> = {
  pending: 'The first attempt is made shortly.',
  retained: 'None: it was kept while the endpoint was disabled, or its account could not use the API.',
}

function Replay({ delivery: { id, status }, endpoint }: { delivery: WebhookDelivery; endpoint: WebhookEndpoint }) {
  const replay = useApiWrite('webhookEndpoints.replay', {
    refreshes: deliveryReads,
    onSuccess: () => toast.success('The delivery is sent again'),
  })
  return (
    <>
      <WriteButton
        size="sm"
        className="ml-auto"
        closed={notSendable(endpoint)}
        loading={replay.isPending}
        onClick={() => replay.mutate({ path: { id: endpoint.id, deliveryId: id }, body: {} })}
      >
        <RotateCw aria-hidden /> {status === 'failed' ? 'Retry now' : 'Replay'}
      </WriteButton>
      {replay.error ? (
        <div className="w-full">
          <Notice tone="bad">{replay.error.message}</Notice>
        </div>
      ) : null}
    </>
  )
}

function factsOf({ webhookId, at, nextAttemptAt, endedAt }: WebhookDelivery): Fact[] {
  return [
    ['Id', <Copyable key="id" text={webhookId} label="Copy webhook-id" />],
    ['Occurred', formatDateTime(at)],
    ...(nextAttemptAt ? [['Next attempt', formatDateTime(nextAttemptAt)] as const] : []),
    ...(endedAt ? [['Ended', formatDateTime(endedAt)] as const] : []),
  ]
}

const isSuccess = ({ status = 0 }: DeliveryAttempt) => status >= 200 && status < 300

function Attempt({ attempt, isOpen }: { attempt: DeliveryAttempt; isOpen: boolean }) {
  const { at, status, durationMs, isReplay, error, response } = attempt
  return (
    <li className="list-none rounded-lg border border-border">
      <details open={isOpen} className="group">
        <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2 hover:bg-accent">
          <Pill tone={isSuccess(attempt) ? 'good' : 'bad'}>{status ?? 'No response'}</Pill>
          <span className="text-dense">
            <When at={at} />
          </span>
          <span className="text-dense text-muted-foreground tabular-nums">{formatCount(durationMs)} ms</span>
          {isReplay ? <span className="text-dense text-muted-foreground">Replay</span> : null}
          <ChevronDown aria-hidden className="ml-auto size-4 text-muted-foreground group-open:rotate-180" />
        </summary>
        <div className="flex flex-col gap-2 border-t border-line px-3 py-3">
          <p className="text-dense text-muted-foreground">{formatDateTime(at)}</p>
          {error ? <p className="break-words text-danger-text">{error}</p> : null}
          {response === undefined ? (
            <p className="text-muted-foreground">{status === undefined ? 'No response' : 'The response had no body'}</p>
          ) : (
            <Code label="Response body" text={prettyJson(response)} raw={response} />
          )}
        </div>
      </details>
    </li>
  )
}

function Request({ delivery, endpoint }: DeliveryPeekProps) {
  const { body } = delivery
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">Request</h3>
      {endpoint ? <Code label="Request headers" text={headersOf(delivery, endpoint)} /> : null}
      <Code label="Request body" text={prettyJson(body)} raw={body} />
      <p className="text-caption text-muted-foreground">
        Shown with line breaks. Copy has the bytes as they are sent, which the signature is made of.
      </p>
    </section>
  )
}
