import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import type { DraftFieldsProps } from './schedule-fields.tsx'
import { destinationLabels } from './schedule-labels.ts'

const destinations = (['email', 'webhook', 's3'] as const).map((value) => ({ value, label: destinationLabels[value] }))

/** Where a schedule delivers its reports. */
export function DestinationFields(props: DraftFieldsProps) {
  const { draft, errors, onChange } = props
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <span className="font-medium">Deliver to</span>
        <Segmented
          label="Deliver to"
          fill
          value={draft.destination}
          options={destinations}
          onValueChange={(destination) => onChange({ destination })}
        />
      </div>
      {draft.destination === 'email' ? (
        <Field
          label="Addresses"
          help="Up to 10 members of your organization, separated by commas. The mail has the sums and a link; the file needs a sign-in."
          error={errors['addresses']}
        >
          <Input value={draft.addresses} onChange={({ target }) => onChange({ addresses: target.value })} />
        </Field>
      ) : null}
      {draft.destination === 'webhook' ? (
        <Field
          label="URL"
          help="Gets a signed request when the report is ready. The file is downloaded with an API key."
          error={errors['url']}
        >
          <Input
            type="url"
            value={draft.url}
            placeholder="https://"
            onChange={({ target }) => onChange({ url: target.value })}
          />
        </Field>
      ) : null}
      {draft.destination === 's3' ? <BucketFields {...props} /> : null}
    </>
  )
}

const bucketFields = [
  ['endpoint', 'Endpoint', 'Such as https://s3.ap-south-1.amazonaws.com'],
  ['region', 'Region', undefined],
  ['bucket', 'Bucket', undefined],
  ['prefix', 'Folder', 'Optional'],
  ['accessKeyId', 'Access key ID', undefined],
] as const

function BucketFields({ draft, errors, onChange }: DraftFieldsProps) {
  return (
    <>
      {bucketFields.map(([name, label, help]) => (
        <Field key={name} label={label} help={help} error={errors[name]}>
          <Input
            value={draft[name]}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        </Field>
      ))}
      <Field
        label="Secret access key"
        help={draft.id ? 'Leave empty to keep the present one' : 'Stored encrypted, and not shown again'}
        error={errors['secretAccessKey']}
      >
        <Input
          type="password"
          value={draft.secretAccessKey}
          autoComplete="off"
          onChange={({ target }) => onChange({ secretAccessKey: target.value })}
        />
      </Field>
    </>
  )
}
