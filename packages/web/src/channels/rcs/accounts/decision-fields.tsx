import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { launchLabels } from './bot-steps.ts'

type Decided = Pick<RcsBot, 'verification' | 'launches'>
type DecisionFieldsProps = { decided: Decided; onChange: (decided: Decided) => void }

const verifications = [
  { value: 'unverified', label: 'Not verified' },
  { value: 'pending', label: 'In review' },
  { value: 'verified', label: 'Verified' },
  { value: 'rejected', label: 'Rejected' },
] as const

const launchStates = (['pending', 'launched', 'rejected', 'suspended', 'terminated'] as const).map((value) => ({
  value,
  label: launchLabels[value].label,
}))

/** Verification and launches of a provider that cannot be asked. */
export function DecisionFields({ decided, onChange }: DecisionFieldsProps) {
  const { verification, launches } = decided
  const change = (index: number, patch: Partial<Decided['launches'][number]>) =>
    onChange({ ...decided, launches: launches.map((one, at) => (at === index ? { ...one, ...patch } : one)) })
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-2 text-section font-semibold">Decisions of the provider</legend>
      <Field label="Verification">
        <Select
          options={verifications}
          value={verification}
          onValueChange={(value) => onChange({ ...decided, verification: value })}
        />
      </Field>
      {launches.map(({ country, carrier, state }, index) => (
        <div key={index} className="flex flex-wrap items-end gap-2">
          <Field label="Country" className="w-20">
            <Input
              maxLength={2}
              value={country}
              onChange={({ target }) => change(index, { country: target.value.toUpperCase() })}
            />
          </Field>
          <Field label="Operator" className="min-w-32 flex-1">
            <Input value={carrier} onChange={({ target }) => change(index, { carrier: target.value })} />
          </Field>
          <Field label="Launch">
            <Select options={launchStates} value={state} onValueChange={(value) => change(index, { state: value })} />
          </Field>
          <IconButton
            label={`Remove ${carrier}`}
            onClick={() => onChange({ ...decided, launches: launches.filter((_, at) => at !== index) })}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button
        size="sm"
        className="self-start"
        onClick={() =>
          onChange({
            ...decided,
            launches: [...launches, { country: 'IN', carrier: '', state: 'pending', at: null, note: '' }],
          })
        }
      >
        <Plus aria-hidden /> Add operator
      </Button>
    </fieldset>
  )
}
