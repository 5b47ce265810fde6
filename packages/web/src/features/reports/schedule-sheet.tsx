import { useState, type FormEvent } from 'react'
import { call } from '../../lib/call.ts'
import { formatScheduleDay } from '../../lib/format.ts'
import { queries } from '../../lib/queries.ts'
import { useUser } from '../../lib/session.ts'
import { fieldMessages, refresh, unplacedMessage, useWriteOnce } from '../../lib/use-api.ts'
import { useFieldErrors } from '../../lib/use-field-errors.ts'
import { Button } from '../../ui/button.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.tsx'
import { DestinationFields } from './destination-fields.tsx'
import { inputOf, runsOfDraft, type ScheduleDraft } from './schedule-draft.ts'
import { ScheduleFields } from './schedule-fields.tsx'

/** Fields of the form by the names that the server uses. */
const fields = new Set(
  `name type channel campaignId format frequency weekday dayOfMonth time timezone addresses url endpoint region bucket prefix
  accessKeyId secretAccessKey`.split(/\s+/),
)

type ScheduleSheetProps = { start: ScheduleDraft; onClose: () => void; onSaved: () => void }

/** Creates or changes a schedule. The secret of a new webhook is shown once. */
export function ScheduleSheet({ start, onClose, onSaved }: ScheduleSheetProps) {
  const email = useUser()?.email ?? ''
  const [draft, setDraft] = useState(start.addresses === '' && !start.id ? { ...start, addresses: email } : start)
  const [secret, setSecret] = useState<string>()
  const { errors, setErrors } = useFieldErrors(draft)
  const save = useWriteOnce({
    write: saveSchedule,
    onSuccess(shown) {
      toast.success(start.id ? 'Schedule saved' : 'Schedule created')
      if (shown === undefined) onSaved()
      else setSecret(shown)
    },
    onError: (error) => setErrors(shortened(fieldMessages(error))),
  })
  if (secret !== undefined) return <SecretDialog shown={secretOf(secret)} onClose={onSaved} />
  const refusal = unplacedMessage(save.error, Object.keys(fieldMessages(save.error)).filter(isShown))
  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate(draft)
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={start.id ? 'Edit schedule' : 'New schedule'}
      footer={
        <>
          <Button className="ml-auto" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="report-schedule" variant="primary" loading={save.isPending}>
            {start.id ? 'Save schedule' : 'Create schedule'}
          </Button>
        </>
      }
    >
      <form id="report-schedule" noValidate onSubmit={submit} className="flex flex-col gap-5 p-5">
        <ScheduleFields draft={draft} errors={errors} onChange={(patch) => setDraft({ ...draft, ...patch })} />
        <NextRuns draft={draft} />
        <DestinationFields draft={draft} errors={errors} onChange={(patch) => setDraft({ ...draft, ...patch })} />
        <FormRefusal text={refusal} />
      </form>
    </Sheet>
  )
}

/** Saves the draft. Returns the secret of a new webhook. */
async function saveSchedule(draft: ScheduleDraft, { key }: { key: string }): Promise<string | undefined> {
  const body = inputOf(draft)
  if (draft.id === undefined) {
    const { scheduleId: id } = await call('reportSchedules.create', { body }, { key })
    await refresh(queries, ['reportSchedules.list'])
    return draft.destination === 'webhook'
      ? (await call('reportSchedules.newSecret', { path: { id }, body: {} })).secret
      : undefined
  }
  await call('reportSchedules.update', { path: { id: draft.id }, body }, { key })
  await refresh(queries, ['reportSchedules.list', 'reportSchedules.get'])
  return undefined
}

export function secretOf(secret: string) {
  return {
    title: 'Signing secret',
    label: 'Signing secret',
    noun: 'secret',
    secret,
    advice: 'Your server verifies with it that requests come from here. Keep it where your server reads its secrets.',
  }
}

/** `destination.url` is the field `url`. */
const nameOf = (field: string) => field.replace(/^destination\./, '').replace(/\.\d+$/, '')
const isShown = (field: string) => fields.has(nameOf(field))

function shortened(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([field, message]) => [nameOf(field), message]))
}

function NextRuns({ draft }: { draft: ScheduleDraft }) {
  const [now] = useState(() => new Date())
  const runs = runsOfDraft(draft, now)
  if (runs.length === 0) return null
  return (
    <section aria-label="Next runs" className="rounded-lg border border-border bg-sunken px-3.5 py-3">
      <h3 className="font-medium">Next runs</h3>
      <ol className="mt-1 text-dense text-muted-foreground tabular-nums">
        {runs.map((at) => (
          <li key={at.toISOString()}>{formatScheduleDay(at.toISOString(), draft.timezone)}</li>
        ))}
      </ol>
    </section>
  )
}
