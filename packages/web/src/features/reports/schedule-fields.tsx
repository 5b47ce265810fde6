import { factsOfType } from '@carillon/contract/report-file-records'
import { useIncluded } from '../../lib/use-included.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { TimeZoneSelect } from '../../ui/time-zone-select.tsx'
import { CampaignChoice } from './campaign-choice.tsx'
import { formatLabels, formatsOf, reportChannelLabel } from './report-labels.ts'
import { reportChannels } from './reports-view.ts'
import { useReportTypes } from './use-report-types.ts'
import type { ScheduleDraft } from './schedule-draft.ts'
import { weekdays } from './schedule-labels.ts'

export type DraftFieldsProps = {
  draft: ScheduleDraft
  errors: Record<string, string>
  onChange: (patch: Partial<ScheduleDraft>) => void
}

const frequencies = [
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
] as const
const periods = {
  daily: 'Each report covers the day before.',
  weekly: 'Each report covers the seven days before.',
  monthly: 'Each report covers the days since the previous one.',
} as const

/** What a schedule prepares, and when. */
export function ScheduleFields(props: DraftFieldsProps) {
  const { draft, errors, onChange } = props
  const types = useReportTypes()
  const { about, grain, detailed, filters } = factsOfType(draft.type)
  const hasCampaigns = useIncluded('campaign') === true && filters.includes('campaign')
  return (
    <>
      <Field label="Name" error={errors['name']}>
        <Input value={draft.name} maxLength={80} onChange={({ target }) => onChange({ name: target.value })} />
      </Field>
      <Field label="Report" help={`${about} One row per ${grain}.`} error={errors['type']}>
        <Select
          value={draft.type}
          options={types}
          onValueChange={(type) =>
            onChange({
              type,
              ...(formatsOf(factsOfType(type).detailed).includes(draft.format) ? {} : { format: 'xlsx' }),
            })
          }
        />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        {filters.includes('channel') ? (
          <Field label="Channel" error={errors['channel']}>
            <Select
              value={draft.channel}
              options={reportChannels.map((value) => ({ value, label: reportChannelLabel(value) }))}
              onValueChange={(channel) => onChange({ channel, campaign: undefined })}
            />
          </Field>
        ) : null}
        <Field label="Format" error={errors['format']}>
          <Select
            value={draft.format}
            options={formatsOf(detailed).map((value) => ({
              value,
              label: formatLabels[value],
            }))}
            onValueChange={(format) => onChange({ format })}
          />
        </Field>
      </div>
      {hasCampaigns ? (
        <Field label="Campaign" error={errors['campaignId']}>
          <CampaignChoice
            channel={draft.channel}
            value={draft.campaign}
            onValueChange={(campaign) => onChange({ campaign })}
          />
        </Field>
      ) : null}
      <div className="flex flex-col gap-1.5">
        <span className="font-medium">Repeat</span>
        <Segmented
          label="Repeat"
          fill
          value={draft.frequency}
          options={frequencies}
          onValueChange={(frequency) => onChange({ frequency })}
        />
        <small className="text-caption text-muted-foreground">{periods[draft.frequency]}</small>
      </div>
      <TimeFields {...props} />
    </>
  )
}

const monthDays = Array.from({ length: 31 }, (_, index) => String(index + 1))

function TimeFields({ draft, errors, onChange }: DraftFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        {draft.frequency === 'weekly' ? (
          <Field label="Day" error={errors['weekday']}>
            <Select
              value={String(draft.weekday)}
              options={weekdays.map((label, index) => ({ value: String(index + 1), label }))}
              onValueChange={(day) => onChange({ weekday: Number(day) })}
            />
          </Field>
        ) : null}
        {draft.frequency === 'monthly' ? (
          <Field
            label="Day of the month"
            help={draft.dayOfMonth > 28 ? 'The last day of shorter months' : undefined}
            error={errors['dayOfMonth']}
          >
            <Select
              value={String(draft.dayOfMonth)}
              options={monthDays.map((value) => ({ value, label: value === '31' ? '31 (last day)' : value }))}
              onValueChange={(day) => onChange({ dayOfMonth: Number(day) })}
            />
          </Field>
        ) : null}
        <Field label="Time" error={errors['time']}>
          <Input type="time" value={draft.time} onChange={({ target }) => onChange({ time: target.value })} />
        </Field>
      </div>
      <Field label="Time zone" error={errors['timezone']}>
        <TimeZoneSelect value={draft.timezone} onValueChange={(timezone) => onChange({ timezone })} />
      </Field>
    </>
  )
}
