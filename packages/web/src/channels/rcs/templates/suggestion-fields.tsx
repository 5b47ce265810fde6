import type { RcsSuggestion } from '@carillon/contract/channels/rcs/rcs-templates'
import type { ComponentProps, ReactNode } from 'react'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import type { Problems } from '../../parts/templates/problems.tsx'

type FieldsProps = {
  suggestion: RcsSuggestion
  name: string
  at: string
  problems: Problems
  onChange: (suggestion: RcsSuggestion) => void
}

/** The fields of an action: an address, a number, a place or an event. */
export function SuggestionFields(props: FieldsProps) {
  const { suggestion, onChange, ...shared } = props
  switch (suggestion.type) {
    case 'reply':
    case 'share_location':
      return null
    case 'open_url':
      return <UrlFields {...props} suggestion={suggestion} />
    case 'dial':
      return (
        <Fields>
          <TextInput
            {...shared}
            field="phoneNumber"
            label="Phone number"
            type="tel"
            maxLength={30}
            placeholder="+91 98765 43210"
            value={suggestion.phoneNumber}
            onText={(phoneNumber) => onChange({ ...suggestion, phoneNumber })}
          />
        </Fields>
      )
    case 'view_location':
      return <PlaceFields {...props} suggestion={suggestion} />
    case 'create_calendar_event':
      return <EventFields {...props} suggestion={suggestion} />
  }
}

type Of<Type extends RcsSuggestion['type']> = FieldsProps & { suggestion: Extract<RcsSuggestion, { type: Type }> }

function UrlFields({ suggestion, onChange, ...shared }: Of<'open_url'>) {
  return (
    <Fields>
      <TextInput
        {...shared}
        field="url"
        label="Address"
        type="url"
        maxLength={4000}
        placeholder="https://acme.in/sale/{{code}}"
        value={suggestion.url}
        onText={(url) => onChange({ ...suggestion, url })}
      />
      <Field small label="Opens in">
        <Select
          size="sm"
          value={suggestion.opensIn}
          onValueChange={(opensIn) => onChange({ ...suggestion, opensIn })}
          options={[
            { value: 'browser', label: 'Browser' },
            { value: 'webview', label: 'Messaging app' },
          ]}
        />
      </Field>
    </Fields>
  )
}

function PlaceFields({ suggestion, onChange, ...shared }: Of<'view_location'>) {
  const degrees = (text: string, most: number) =>
    text.trim() !== '' && Math.abs(Number(text)) <= most ? Number(text) : undefined
  return (
    <Fields>
      <TextInput
        {...shared}
        field="latitude"
        label="Latitude"
        type="number"
        step="any"
        placeholder="18.5204"
        value={suggestion.latitude ?? ''}
        onText={(text) => {
          const { latitude: _, ...rest } = suggestion
          const latitude = degrees(text, 90)
          onChange(latitude === undefined ? rest : { ...rest, latitude })
        }}
      />
      <TextInput
        {...shared}
        field="longitude"
        label="Longitude"
        type="number"
        step="any"
        placeholder="73.8567"
        value={suggestion.longitude ?? ''}
        onText={(text) => {
          const { longitude: _, ...rest } = suggestion
          const longitude = degrees(text, 180)
          onChange(longitude === undefined ? rest : { ...rest, longitude })
        }}
      />
      <TextInput
        {...shared}
        field="label"
        label="Label of the pin"
        maxLength={200}
        placeholder="Acme, MG Road"
        value={suggestion.label}
        onText={(label) => onChange({ ...suggestion, label })}
      />
      <TextInput
        {...shared}
        field="query"
        label="Or a search"
        maxLength={200}
        placeholder="Acme store near me"
        value={suggestion.query}
        onText={(query) => onChange({ ...suggestion, query })}
      />
    </Fields>
  )
}

function EventFields({ suggestion, onChange, ...shared }: Of<'create_calendar_event'>) {
  return (
    <Fields>
      <TextInput
        {...shared}
        field="title"
        label="Event"
        maxLength={200}
        placeholder="Diwali sale"
        value={suggestion.title}
        onText={(title) => onChange({ ...suggestion, title })}
      />
      <TextInput
        {...shared}
        field="description"
        label="Description"
        maxLength={1000}
        value={suggestion.description}
        onText={(description) => onChange({ ...suggestion, description })}
      />
      <TextInput
        {...shared}
        field="startTime"
        label="Starts"
        type="datetime-local"
        value={localOf(suggestion.startTime)}
        onText={(text) => onChange({ ...suggestion, startTime: instantOf(text) })}
      />
      <TextInput
        {...shared}
        field="endTime"
        label="Ends"
        type="datetime-local"
        value={localOf(suggestion.endTime)}
        onText={(text) => onChange({ ...suggestion, endTime: instantOf(text) })}
      />
    </Fields>
  )
}

function Fields({ children }: { children: ReactNode }) {
  return <div className="grid gap-2 md:ml-41 md:grid-cols-2">{children}</div>
}

type TextInputProps = Omit<ComponentProps<typeof Input>, 'onChange' | 'size'> &
  Pick<FieldsProps, 'at' | 'name' | 'problems'> & {
    field: string
    label: string
    onText: (text: string) => void
  }

function TextInput({ at, name, problems, field, label, onText, ...input }: TextInputProps) {
  return (
    <div data-field={`${at}.${field}`}>
      <Field small label={label} error={problems(`${at}.${field}`)}>
        <Input size="sm" {...input} title={`${label} of ${name}`} onChange={(event) => onText(event.target.value)} />
      </Field>
    </div>
  )
}

/** The value of a date field in the reader's time zone. */
function localOf(instant: string): string {
  const at = Date.parse(instant)
  if (Number.isNaN(at)) return ''
  const offset = new Date(at).getTimezoneOffset() * 60_000
  return new Date(at - offset).toISOString().slice(0, 16)
}

function instantOf(local: string): string {
  const at = Date.parse(local)
  return Number.isNaN(at) ? '' : new Date(at).toISOString()
}
