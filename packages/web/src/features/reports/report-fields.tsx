import { factsOfType } from '@carillon/contract/report-file-records'
import { accountZone, formatCalendarDays } from '../../lib/format.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { CampaignChoice } from './campaign-choice.tsx'
import { formatsOfDraft, grainOf, presets, rangeOf, reportTypeOf, type ReportDraft } from './report-draft.ts'
import { formatLabels, reportChannelLabel } from './report-labels.ts'
import { reportChannels } from './reports-view.ts'
import type { ReportForm } from './use-report-form.ts'
import { useReportTypes } from './use-report-types.ts'

const presetLabels: Record<ReportDraft['preset'], string> = {
  '7 days': 'Last 7 days',
  '30 days': 'Last 30 days',
  'this month': 'This month',
  'last month': 'Last month',
  custom: 'Custom…',
}

type FieldsProps = { form: ReportForm }

/** What a new report is about. */
export function ReportFields({ form }: FieldsProps) {
  const { draft, change, errors } = form
  const types = useReportTypes()
  const { about, filters } = factsOfType(reportTypeOf(draft))
  return (
    <>
      <Field label="Report" help={`One row per ${grainOf(draft)}`} error={errors['type']}>
        <Select
          value={draft.type}
          options={types.filter(({ value }) => value !== 'campaign_detailed')}
          // The switch chooses campaign messages.
          onValueChange={(type) => (type === 'campaign_detailed' ? undefined : change({ type }))}
        />
      </Field>
      <DayFields form={form} />
      {filters.includes('channel') ? (
        <Field label="Channel" error={errors['channel']}>
          <Select
            value={draft.channel}
            options={reportChannels.map((value) => ({ value, label: reportChannelLabel(value) }))}
            // Another channel has other campaigns.
            onValueChange={(channel) => change({ channel, campaign: undefined })}
          />
        </Field>
      ) : null}
      {filters.includes('campaign') ? <CampaignField form={form} /> : null}
      <Field label="Format" error={errors['format']}>
        <Select
          value={draft.format}
          options={formatsOfDraft(draft).map((value) => ({ value, label: formatLabels[value] }))}
          onValueChange={(format) => change({ format })}
        />
      </Field>
      <p className="col-span-full text-dense text-muted-foreground">{about}</p>
    </>
  )
}

function CampaignField({ form: { draft, change, errors } }: FieldsProps) {
  if (useIncluded('campaign') !== true) return null
  return (
    <Field label="Campaign" error={errors['campaignId']}>
      <CampaignChoice
        channel={draft.channel}
        value={draft.campaign}
        onValueChange={(campaign) => change({ campaign })}
      />
    </Field>
  )
}

function DayFields({ form: { draft, change, errors } }: FieldsProps) {
  const { from, to } = rangeOf(draft)
  const isCustom = draft.preset === 'custom'
  const zone = accountZone().replaceAll('_', ' ')
  return (
    <>
      <Field
        label="Days"
        help={isCustom ? `${zone} time` : `${formatCalendarDays({ from, to })} · ${zone}`}
        error={isCustom ? undefined : (errors['from'] ?? errors['to'])}
      >
        <Select
          value={draft.preset}
          options={presets.map((value) => ({ value, label: presetLabels[value] }))}
          // The days of before are a good start.
          onValueChange={(preset) => change({ preset, ...(preset === 'custom' ? { from, to } : {}) })}
        />
      </Field>
      {isCustom ? (
        <>
          <Field label="From" error={errors['from']}>
            <Input type="date" max={to} value={from} onChange={({ target }) => change({ from: target.value })} />
          </Field>
          <Field label="To" error={errors['to']}>
            <Input type="date" min={from} value={to} onChange={({ target }) => change({ to: target.value })} />
          </Field>
        </>
      ) : null}
    </>
  )
}

/** One row for each message, in reports of campaigns. */
export function DetailSwitch({ form: { draft, change } }: FieldsProps) {
  if (draft.type !== 'campaign_summary') return null
  return (
    <label className="flex min-h-6 cursor-pointer items-center gap-2.5">
      <Switch checked={draft.isDetailed} onCheckedChange={(isDetailed) => change({ isDetailed })} />
      <span>
        <span className="font-medium">One row per message</span>{' '}
        <small className="text-caption text-muted-foreground">larger file</small>
      </span>
    </label>
  )
}
