import { webhookEvents, type WebhookEventType } from '@carillon/contract/webhook-records'
import { useId } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { eventGroups, eventTypes, type EventGroup } from './event-groups.ts'

type TypeChoiceProps = {
  chosen: readonly WebhookEventType[]
  error: string | undefined
  onChange: (types: WebhookEventType[]) => void
}

/** What an endpoint subscribes to, by subject. */
export function TypeChoice({ chosen, error, onChange }: TypeChoiceProps) {
  const errorId = useId()
  // In the order of the table.
  const set = (types: readonly WebhookEventType[], isChosen: boolean) =>
    onChange(eventTypes.filter((type) => (types.includes(type) ? isChosen : chosen.includes(type))))
  return (
    <fieldset aria-describedby={error ? errorId : undefined} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">Events</legend>
      {error ? <FieldMessage id={errorId} text={error} /> : null}
      <div className="divide-y divide-line rounded-lg border border-border">
        <div className="px-3 py-2.5">
          <All label="All events" types={eventTypes} chosen={chosen} onSet={set} />
        </div>
        {eventGroups.map((group) => (
          <Group key={group.label} group={group} chosen={chosen} isWrong={error !== undefined} onSet={set} />
        ))}
      </div>
    </fieldset>
  )
}

type OnSet = (types: readonly WebhookEventType[], isChosen: boolean) => void
type GroupProps = { group: EventGroup; chosen: readonly WebhookEventType[]; isWrong: boolean; onSet: OnSet }

function Group({ group: { label, types }, chosen, isWrong, onSet }: GroupProps) {
  return (
    <fieldset className="flex flex-col gap-2 px-3 py-2.5">
      <legend className="sr-only">{label}</legend>
      <All label={label} types={types} chosen={chosen} onSet={onSet} />
      <div className="flex min-w-0 flex-col gap-2 pl-6.5">
        {types.map((type) => (
          <Checkbox
            key={type}
            label={webhookEvents[type].replace(/\.$/, '')}
            help={<code>{type}</code>}
            aria-invalid={isWrong ? true : undefined}
            checked={chosen.includes(type)}
            onChange={({ target }) => onSet([type], target.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}

type AllProps = {
  label: string
  types: readonly WebhookEventType[]
  chosen: readonly WebhookEventType[]
  onSet: OnSet
}

/** Chooses all of some types, or none. */
function All({ label, types, chosen, onSet }: AllProps) {
  const count = types.filter((type) => chosen.includes(type)).length
  return (
    <Checkbox
      label={<span className="font-medium">{label}</span>}
      checked={count === types.length}
      mixed={count > 0 && count < types.length}
      onChange={() => onSet(types, count < types.length)}
    />
  )
}
