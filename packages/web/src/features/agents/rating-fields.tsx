import type { InboxSettings } from '@carillon/contract/inbox-settings'
import { channelTraits } from '@carillon/contract/channels/table'
import { useApi } from '../../lib/use-api.ts'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { Switch } from '../../ui/switch.tsx'

export type RatingSettings = Pick<InboxSettings, 'asksForRating' | 'ratingText' | 'ratingTemplates'>

const usualQuestion = 'How did we do? Reply with a number from 1 (very bad) to 5 (very good).'

type RatingFieldsProps = {
  settings: RatingSettings
  errors: Record<string, string>
  onChange: (patch: Partial<RatingSettings>) => void
}

/** Whether and how people are asked to rate a conversation that was resolved. */
export function RatingFields({ settings, errors, onChange }: RatingFieldsProps) {
  const { asksForRating, ratingText } = settings
  return (
    <>
      <SettingRow
        title="Ask for a rating"
        detail="People are asked once an answered conversation is resolved, at most once a day. A number from 1 to 5 within 72 hours is their rating. The question costs as much as any other message."
      >
        <Switch
          label="Ask for a rating"
          checked={asksForRating}
          onCheckedChange={(asks) => onChange({ asksForRating: asks })}
        />
      </SettingRow>
      {asksForRating ? (
        <div className="flex max-w-120 flex-col gap-4 py-3">
          <Field label="Question" error={errors['ratingText']}>
            <Textarea
              rows={2}
              maxLength={500}
              placeholder={usualQuestion}
              value={ratingText ?? ''}
              onChange={({ target }) => onChange({ ratingText: target.value === '' ? null : target.value })}
            />
          </Field>
          <RatingTemplates settings={settings} errors={errors} onChange={onChange} />
        </div>
      ) : null}
    </>
  )
}

/** One choice for each channel on which only templates can be sent after the window. */
function RatingTemplates({ settings, errors, onChange }: RatingFieldsProps) {
  const lines = useApi('conversations.lines', {})
  const byChannel = Map.groupBy(
    lines.data?.lines.filter(({ channel }) => channelTraits[channel].hasServiceWindow) ?? [],
    ({ channel }) => channel,
  )
  return [...byChannel].map(([channel, [line]]) =>
    line ? (
      <Field
        key={channel}
        label={`Template after the 24-hour window, ${channelTraits[channel].label}`}
        error={errors[`ratingTemplates.${channel}`]}
      >
        <TemplateSelect
          lineId={line._id}
          value={settings.ratingTemplates[channel] ?? ''}
          onChange={(id) => {
            const { [channel]: _, ...others } = settings.ratingTemplates
            onChange({ ratingTemplates: id === '' ? others : { ...others, [channel]: id } })
          }}
        />
      </Field>
    ) : null,
  )
}

type TemplateSelectProps = { lineId: string; value: string; onChange: (id: string) => void }

/** Templates without variables, because the question is sent automatically. */
function TemplateSelect({ lineId, value, onChange }: TemplateSelectProps) {
  const { data } = useApi('conversations.templates', { path: { id: lineId }, query: { limit: 50 } })
  const templates = data?.templates.filter(({ values }) => values.length === 0) ?? []
  return (
    <Select
      value={value}
      onValueChange={onChange}
      options={[
        { value: '', label: 'Do not ask after the window' },
        ...templates.map(({ _id, name }) => ({ value: _id, label: name })),
      ]}
    />
  )
}
