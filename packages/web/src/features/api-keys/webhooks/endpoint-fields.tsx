import type { Dispatch } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { RadioGroup } from '../../../ui/radio.tsx'
import { listError } from '../key-draft.ts'
import { environmentLabels } from '../key-labels.ts'
import type { EndpointDraft } from './endpoint-draft.ts'
import { schemeLabels } from './endpoint-labels.ts'
import { TypeChoice } from './type-choice.tsx'

/** Fields whose errors `EndpointFields` shows. */
export const endpointFields = ['url', 'description', 'types', 'ordered']

type PartProps = { draft: EndpointDraft; onChange: Dispatch<Partial<EndpointDraft>> }
type EndpointFieldsProps = PartProps & { errors: Record<string, string>; isNew?: boolean }

export function EndpointFields({ draft, errors, isNew, onChange }: EndpointFieldsProps) {
  return (
    <>
      <Field
        label="URL"
        help="Of your server, with https. It gets a POST request for each event."
        error={errors['url']}
      >
        <Input
          type="url"
          mono
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="https://example.com/webhooks"
          value={draft.url}
          onChange={({ target }) => onChange({ url: target.value })}
        />
      </Field>
      <Field label="Description" hint="optional" error={errors['description']}>
        <Input
          autoComplete="off"
          maxLength={200}
          value={draft.description}
          onChange={({ target }) => onChange({ description: target.value })}
        />
      </Field>
      {isNew ? <Environment draft={draft} onChange={onChange} /> : null}
      <TypeChoice
        chosen={draft.types}
        error={listError(errors, 'types', draft.types)}
        onChange={(types) => onChange({ types })}
      />
      <Checkbox
        label="Deliver one after the other"
        help="For each conversation and each recipient, the next event waits until the one before was delivered or has no attempt left. A failure holds up those after it. Without this, events may arrive out of order."
        checked={draft.ordered}
        onChange={({ target }) => onChange({ ordered: target.checked })}
      />
      {isNew ? <Scheme draft={draft} onChange={onChange} /> : null}
    </>
  )
}

function Environment({ draft, onChange }: PartProps) {
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="font-medium">
        Environment
      </span>
      <RadioGroup
        label="Environment"
        value={draft.environment}
        onValueChange={(environment) => onChange({ environment })}
        choices={[
          { value: 'live', label: environmentLabels.live, help: 'For production. Gets the events of your account.' },
          {
            value: 'test',
            label: environmentLabels.test,
            help: 'For development. Gets the events of messages sent with test keys.',
          },
        ]}
      />
    </div>
  )
}

/** What signs requests. */
export function Scheme({
  draft,
  onChange,
}: {
  draft: Pick<EndpointDraft, 'signature'>
  onChange: PartProps['onChange']
}) {
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="font-medium">
        Signature
      </span>
      <RadioGroup
        label="Signature"
        value={draft.signature}
        onValueChange={(signature) => onChange({ signature })}
        choices={[
          { value: 'v1', label: schemeLabels.v1, help: 'A secret that you and we share. Every library verifies it.' },
          { value: 'v1a', label: schemeLabels.v1a, help: 'A public key verifies it. You store no secret.' },
        ]}
      />
    </div>
  )
}
