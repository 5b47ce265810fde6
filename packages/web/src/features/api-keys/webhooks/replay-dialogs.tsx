import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { useState, type FormEvent } from 'react'
import type { CallData } from '../../../lib/call.ts'
import { accountZone, countOf } from '../../../lib/format.ts'
import { instantIn, localIn } from '../../../lib/local-time.ts'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormRefusal } from '../../../ui/form-refusal.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.tsx'
import { deliveryLooks, endpointName } from './endpoint-labels.ts'
import { deliveryReads } from './webhook-reads.ts'

type ReplayDialogProps = { endpoint: WebhookEndpoint; onClose: () => void }

const sameId = 'Each keeps its webhook-id, so your server can ignore those that it has.'

function announce({ replayed, continues }: CallData<'webhookEndpoints.replayMissed'>) {
  if (replayed === 0) toast.success('There is nothing to replay')
  else
    toast.success(
      `${countOf(replayed, 'delivery is', 'deliveries are')} sent again`,
      continues ? { description: 'The rest follows in the background.' } : {},
    )
}

/** Sends everything again that has not succeeded. */
export function ReplayMissedDialog({ endpoint, onClose }: ReplayDialogProps) {
  const replay = useApiWrite('webhookEndpoints.replayMissed', {
    refreshes: deliveryReads,
    onSuccess(answer) {
      onClose()
      announce(answer)
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Replay missed?"
      description={`All deliveries to ${endpointName(endpoint)} that have not succeeded are sent again now, the oldest first: those that failed, those without an attempt left, and those that were kept while it was disabled. ${sameId}`}
      action="Replay missed"
      loading={replay.isPending}
      onConfirm={() => replay.mutate({ path: { id: endpoint.id }, body: {} })}
    >
      {replay.error ? <Notice tone="bad">{replay.error.message}</Notice> : null}
    </ConfirmDialog>
  )
}

const statuses = ['all', 'delivered', 'dead', 'retained'] as const
const hourMs = 3_600_000

/** Sends the ended deliveries of events of a time again. */
export function ReplayRangeDialog({ endpoint, onClose }: ReplayDialogProps) {
  const zone = accountZone()
  const [now] = useState(Date.now)
  const [from, setFrom] = useState(() => localIn(now - hourMs, zone))
  const [to, setTo] = useState(() => localIn(now, zone))
  const [status, setStatus] = useState<(typeof statuses)[number]>('all')
  const replay = useApiWrite('webhookEndpoints.replayRange', {
    refreshes: deliveryReads,
    onSuccess(answer) {
      onClose()
      announce(answer)
    },
  })
  const errors = fieldMessages(replay.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    const range = { from: instantOf(from, zone), to: instantOf(to, zone) }
    replay.mutate({ path: { id: endpoint.id }, body: { ...range, ...(status === 'all' ? {} : { status }) } })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="medium"
      title="Replay a time range"
      description={`Deliveries of events that occurred in this time are sent to ${endpointName(endpoint)} again. ${sameId}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="replay-range" variant="primary" loading={replay.isPending}>
            Replay deliveries
          </Button>
        </>
      }
    >
      <form id="replay-range" noValidate onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="From" error={errors['from']}>
            <Input type="datetime-local" value={from} onChange={({ target }) => setFrom(target.value)} />
          </Field>
          <Field label="To" error={errors['to']}>
            <Input type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
          </Field>
        </div>
        <Field
          label="Status"
          help={`Times are in ${zone.replaceAll('_', ' ')}. Deliveries still being attempted are left out.`}
        >
          <Select
            value={status}
            options={statuses.map((value) => ({
              value,
              label: value === 'all' ? 'All that have ended' : deliveryLooks[value].label,
            }))}
            onValueChange={setStatus}
          />
        </Field>
        <FormRefusal text={unplacedMessage(replay.error, ['from', 'to'])} />
      </form>
    </Dialog>
  )
}

/** An empty field is refused by the server. */
const instantOf = (local: string, zone: string) => (local ? instantIn(local, zone).toISOString() : '')
