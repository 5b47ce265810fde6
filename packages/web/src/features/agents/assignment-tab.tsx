import type { InboxSettings } from '@carillon/contract/inbox-settings'
import { useState, type FormEvent } from 'react'
import { fieldMessages, unplacedMessage, useApi, useApiWrite } from '../../lib/use-api.ts'
import { Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { Input } from '../../ui/input.tsx'
import { Region } from '../../ui/region.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TimeZoneSelect } from '../../ui/time-zone-select.tsx'
import { toast } from '../../ui/toast.tsx'
import { RatingFields } from './rating-fields.tsx'
import { numberOf } from './setup-draft.ts'
import { BusinessHours, defaultHours, weekdays } from './business-hours.tsx'

/** Automatic assignment, business hours and targets; read-only for those who are no managers. */
export function AssignmentTab({ isManager }: { isManager: boolean }) {
  const settings = useApi('inboxSettings.get', {})
  return (
    <div className="max-w-180 py-4 screen-x">
      <Region read={settings} label="the settings" lines={8}>
        {(data) =>
          isManager ? (
            <AssignmentForm key={JSON.stringify(data)} settings={data} />
          ) : (
            <AssignmentFacts settings={data} />
          )
        }
      </Region>
    </div>
  )
}

const within = (minutes: number | null) => (minutes === null ? 'No target' : `Within ${minutes} min`)

function AssignmentFacts({ settings }: { settings: InboxSettings }) {
  const { assignsAutomatically, timezone, businessHours, firstReplyMinutes, nextReplyMinutes, asksForRating } = settings
  const hours = weekdays.map((day, index) => {
    const open = businessHours?.[index]
    return [day, open ? `${open.start} – ${open.end}` : 'Closed'] as const
  })
  return (
    <Facts
      facts={[
        ['Automatic assignment', assignsAutomatically ? 'On' : 'Off'],
        ['First answer', within(firstReplyMinutes)],
        ['Later answers', within(nextReplyMinutes)],
        ['Ratings', asksForRating ? 'Asked for when a conversation is resolved' : 'Off'],
        ['Time zone', timezone.replaceAll('_', ' ')],
        ...(businessHours === null ? [['Business hours', 'Always open'] as const] : hours),
      ]}
    />
  )
}

type Draft = Omit<InboxSettings, 'firstReplyMinutes' | 'nextReplyMinutes'> & { first: string; next: string }

const draftOf = ({ firstReplyMinutes, nextReplyMinutes, ...rest }: InboxSettings): Draft => ({
  ...rest,
  first: firstReplyMinutes === null ? '' : String(firstReplyMinutes),
  next: nextReplyMinutes === null ? '' : String(nextReplyMinutes),
})

function AssignmentForm({ settings }: { settings: InboxSettings }) {
  const [draft, setDraft] = useState(() => draftOf(settings))
  const save = useApiWrite('inboxSettings.update', {
    refreshes: ['inboxSettings.get'],
    onSuccess: () => toast.success('Settings saved'),
  })
  const errors = fieldMessages(save.error)
  const set = (patch: Partial<Draft>) => setDraft({ ...draft, ...patch })
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(settings))

  function submit(event: FormEvent) {
    event.preventDefault()
    const { first, next, ...rest } = draft
    save.mutate({ body: { ...rest, firstReplyMinutes: numberOf(first), nextReplyMinutes: numberOf(next) } })
  }
  return (
    <form noValidate onSubmit={submit}>
      <SettingRow
        title="Automatic assignment"
        detail="Waiting conversations go to agents who are online, by skills, lines and free capacity. The agent with the fewest open conversations is first."
      >
        <Switch
          label="Automatic assignment"
          checked={draft.assignsAutomatically}
          onCheckedChange={(assignsAutomatically) => set({ assignsAutomatically })}
        />
      </SettingRow>
      <Targets draft={draft} errors={errors} onChange={set} />
      <SettingRow
        title="Business hours"
        detail="Only these hours count towards targets and response times. Otherwise every hour counts."
      >
        <Switch
          label="Business hours"
          checked={draft.businessHours !== null}
          onCheckedChange={(on) => set({ businessHours: on ? defaultHours : null })}
        />
      </SettingRow>
      {draft.businessHours === null ? null : (
        <div className="flex flex-col gap-4 py-3">
          <Field label="Time zone" error={errors['timezone']} className="max-w-80">
            <TimeZoneSelect value={draft.timezone} onValueChange={(timezone) => set({ timezone })} />
          </Field>
          <BusinessHours
            hours={draft.businessHours}
            errors={errors}
            onChange={(businessHours) => set({ businessHours })}
          />
        </div>
      )}
      <RatingFields settings={draft} errors={errors} onChange={set} />
      <FormRefusal text={unplacedMessage(save.error, Object.keys(errors))} />
      <SaveBar isDirty={isDirty} isSaving={save.isPending} error={null} onReset={() => setDraft(draftOf(settings))} />
    </form>
  )
}

type TargetsProps = { draft: Draft; errors: Record<string, string>; onChange: (patch: Partial<Draft>) => void }

function Targets({ draft, errors, onChange }: TargetsProps) {
  return (
    <fieldset className="border-b border-line py-3">
      <legend className="sr-only">Targets</legend>
      <p className="font-medium">Targets</p>
      <p className="text-dense text-muted-foreground">
        When answers are due. Changes apply to messages that arrive from now on.
      </p>
      <div className="mt-3 grid max-w-100 grid-cols-2 gap-4">
        <Field label="First answer" hint="minutes" error={errors['firstReplyMinutes']}>
          <Input
            inputMode="numeric"
            placeholder="No target"
            value={draft.first}
            onChange={({ target }) => onChange({ first: target.value })}
          />
        </Field>
        <Field label="Later answers" hint="minutes" error={errors['nextReplyMinutes']}>
          <Input
            inputMode="numeric"
            placeholder="No target"
            value={draft.next}
            onChange={({ target }) => onChange({ next: target.value })}
          />
        </Field>
      </div>
    </fieldset>
  )
}
