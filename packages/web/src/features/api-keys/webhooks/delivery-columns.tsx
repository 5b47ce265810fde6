import type { DeliveryAttempt, WebhookDelivery } from '@carillon/contract/webhook-records'
import { countOf, formatCount, formatDateTime } from '../../../lib/format.ts'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { Missing, When } from '../../../ui/text.tsx'
import { LookPill } from '../look-pill.tsx'
import { deliveryLooks } from './endpoint-labels.ts'

export const deliveryColumns: readonly Column<WebhookDelivery>[] = [
  { id: 'type', header: 'Event', cell: ({ type }) => <span className="font-mono text-dense">{type}</span> },
  { id: 'status', header: 'Status', width: 150, cell: ({ status }) => <LookPill look={deliveryLooks[status]} /> },
  { id: 'response', header: 'Last response', width: 220, cell: ({ attempts }) => <Answer attempt={attempts.at(-1)} /> },
  { id: 'attempts', header: 'Attempts', width: 88, align: 'right', cell: ({ attempts }) => attempts.length },
  { id: 'next', header: 'Next attempt', width: 136, cell: ({ nextAttemptAt: at }) => <Next at={at} /> },
  { id: 'at', header: 'Occurred', width: 136, cell: ({ at }) => <When at={at} /> },
  {
    id: 'id',
    header: 'webhook-id',
    width: 330,
    optional: true,
    cell: ({ webhookId }) => <span className="font-mono text-caption">{webhookId}</span>,
  },
]

export function deliveryName({ type, at }: WebhookDelivery): string {
  return `${type}, ${formatDateTime(at)}`
}

function answerText({ status, error, durationMs }: DeliveryAttempt): string {
  const answer = status === undefined ? (error ?? 'No response') : String(status)
  return `${answer} · ${formatCount(durationMs)} ms`
}

function Answer({ attempt }: { attempt: DeliveryAttempt | undefined }) {
  if (!attempt) return <Missing why="no attempt yet" />
  const text = answerText(attempt)
  return (
    <span className="block max-w-54 truncate" title={text}>
      {text}
    </span>
  )
}

const isDue = (at: string) => Date.parse(at) <= Date.now()

function Next({ at }: { at: string | null }) {
  if (!at) return <Missing why="none planned" />
  return isDue(at) ? 'Due now' : <When at={at} />
}

/** A delivery in the list on phones. */
export function DeliveryCard({
  delivery: { type, status, at, attempts, nextAttemptAt },
}: {
  delivery: WebhookDelivery
}) {
  const last = attempts.at(-1)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-start gap-3">
        <b className="min-w-0 flex-1 font-mono text-dense font-medium break-all">{type}</b>
        <LookPill look={deliveryLooks[status]} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-dense text-muted-foreground">
        <span className="break-words">{last ? answerText(last) : countOf(0, 'attempt')}</span>
        <span>
          {nextAttemptAt ? <>Next: {isDue(nextAttemptAt) ? 'now' : <When at={nextAttemptAt} />}</> : <When at={at} />}
        </span>
      </div>
    </div>
  )
}
