import { channelTraits } from '@carillon/contract/channels/table'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { channelList } from '../../channels/index.ts'
import { Choices } from '../../ui/choices.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, Textarea } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { fieldProps, textsOf, type ControlProps } from './config-field-props.ts'
import type { ConfigField } from './config-fields.ts'
import { SenderField, SendersField } from './sender-fields.tsx'
import { TemplateField, TemplatesField } from './template-fields.tsx'
import type { Named } from './unknown-ids.ts'
import { linesOf } from './key-draft.ts'

/** The control of a field of a key config. */
export function ConfigControl(props: ControlProps) {
  const { field, ...rest } = props
  if (isOfRecords(field)) return <RecordControl {...rest} field={field} />
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'rupees':
      return <ScalarField {...rest} field={field} />
    case 'switch':
      return <SwitchField {...rest} field={field} />
    case 'choice':
      return <ChoiceField {...rest} field={field} />
    case 'texts':
      return <TextsField {...rest} field={field} />
  }
}

type RecordKind = 'channel' | 'channels' | 'sender' | 'senders' | 'template' | 'templates'

function isOfRecords(field: ConfigField): field is Extract<ConfigField, { kind: RecordKind }> {
  return /^(?:channel|sender|template)s?$/.test(field.kind)
}

/** The control of channels, senders and templates. */
function RecordControl({ field, ...rest }: ControlProps<RecordKind>) {
  switch (field.kind) {
    case 'channel':
      return <ChannelField {...rest} field={field} />
    case 'channels':
      return <ChannelsField {...rest} field={field} />
    case 'sender':
      return <SenderField {...rest} field={field} />
    case 'senders':
      return <SendersField {...rest} field={field} />
    case 'template':
      return <TemplateField {...rest} field={field} />
    case 'templates':
      return <TemplatesField {...rest} field={field} />
  }
}

function ScalarField({ field, value, errors, onChange }: ControlProps<'text' | 'number' | 'rupees'>) {
  const isText = field.kind === 'text'
  const typed = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return (
    <Field {...fieldProps({ field, errors })}>
      <Input
        autoComplete="off"
        {...(isText ? { maxLength: field.maxLength } : { inputMode: 'decimal' })}
        {...(field.kind === 'number' ? { placeholder: field.placeholder } : {})}
        {...(field.kind === 'rupees' ? { leading: '₹', placeholder: 'No limit' } : {})}
        value={typed}
        onChange={({ target }) => onChange(isText ? target.value || undefined : numberOf(target.value))}
      />
    </Field>
  )
}

/** A text that is no number stays as typed: the server says what is wrong. */
export function numberOf(typed: string): number | string | undefined {
  const text = typed.replaceAll(',', '')
  if (text.trim() === '') return undefined
  return /^\d{1,12}(?:\.\d*[1-9])?$/.test(text) ? Number(text) : typed
}

function SwitchField({ field, value, errors, onChange }: ControlProps<'switch'>) {
  const { hint: _, ...rest } = fieldProps({ field, errors })
  return (
    <Field {...rest}>
      <Switch checked={value === true} onCheckedChange={onChange} />
    </Field>
  )
}

function ChoiceField({ field, value, errors, onChange }: ControlProps<'choice'>) {
  const { hint: _, ...rest } = fieldProps({ field, errors })
  const { options, none } = field
  return (
    <Field {...rest}>
      <Select
        value={typeof value === 'string' ? value : none ? 'none' : (options[0]?.value ?? '')}
        options={[...(none ? [{ value: 'none', label: none }] : []), ...options]}
        onValueChange={(chosen) => onChange(chosen === 'none' ? undefined : chosen)}
      />
    </Field>
  )
}

function TextsField({ field, value, errors, onChange }: ControlProps<'texts'>) {
  const entries = textsOf(value)
  return (
    <Field {...fieldProps({ field, errors }, entries)}>
      <Textarea
        rows={3}
        spellCheck={false}
        className="font-mono text-dense"
        defaultValue={entries.join('\n')}
        onChange={({ target }) => onChange(linesOf(target.value))}
      />
    </Field>
  )
}

const channels: readonly Named[] = channelList
  .filter(({ channel }) => channelTraits[channel].isSupported)
  .map(({ channel }) => ({ id: channel, name: channelLabel(channel) }))

function ChannelField({ field, value, errors, onChange }: ControlProps<'channel'>) {
  return (
    <Field {...fieldProps({ field, errors })}>
      <Select
        value={typeof value === 'string' ? value : 'none'}
        options={[{ value: 'none', label: 'None' }, ...channels.map(({ id, name }) => ({ value: id, label: name }))]}
        onValueChange={(chosen) => onChange(chosen === 'none' ? undefined : chosen)}
      />
    </Field>
  )
}

function ChannelsField({ field, value, errors, onChange }: ControlProps<'channels'>) {
  return (
    <Choices
      {...fieldProps({ field, errors })}
      none="There are no channels."
      options={channels}
      chosen={textsOf(value)}
      onChange={onChange}
    />
  )
}
