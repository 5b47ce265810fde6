import { channelLabel } from '../../channels/channel-mark.tsx'
import { mayCall } from '../../lib/call.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { Choices } from '../../ui/choices.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { fieldProps, textsOf, type ControlProps } from './config-field-props.ts'
import { withUnknown } from './unknown-ids.ts'

/** The senders of the organisation that the account knows: the lines of conversations. */
function useSenders() {
  const isIncluded = useIncluded('chat')
  const mayRead = mayCall('conversations.lines')
  const lines = useApi('conversations.lines', {}, { enabled: isIncluded === true })
  const options = lines.data?.lines.map(({ _id, name, channel }) => ({ id: _id, name, detail: channelLabel(channel) }))
  // Senders that were chosen before can be removed by those who cannot read them.
  return { options: isIncluded === false || !mayRead ? [] : options, failed: lines.error?.message }
}

export function SendersField({ field, value, errors, onChange }: ControlProps<'senders'>) {
  const { options, failed } = useSenders()
  const chosen = textsOf(value)
  return (
    <Choices
      {...fieldProps({ field, errors }, chosen)}
      none="There are no numbers or bots that you can choose."
      options={options && withUnknown(options, chosen)}
      failed={failed}
      chosen={chosen}
      onChange={onChange}
    />
  )
}

export function SenderField({ field, value, errors, onChange }: ControlProps<'sender'>) {
  const { options = [] } = useSenders()
  const chosen = typeof value === 'string' ? value : ''
  const all = withUnknown(options, chosen ? [chosen] : [])
  return (
    <Field {...fieldProps({ field, errors })}>
      <Select
        value={chosen || 'none'}
        options={[
          { value: 'none', label: 'None' },
          ...all.map(({ id, name, detail }) => ({ value: id, label: detail ? `${name} · ${detail}` : name })),
        ]}
        onValueChange={(id) => onChange(id === 'none' ? undefined : id)}
      />
    </Field>
  )
}
