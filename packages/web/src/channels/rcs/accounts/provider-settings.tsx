import type { ProviderForm } from '@carillon/contract/senders'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { SchemaForm } from '../../../ui/schema-form/schema-form.tsx'
import { asRecord, defaultsOf, readSchema, type FormValue } from '../../../ui/schema-form/schema.ts'

export type SentSettings = { ratePerSecond: number; config: FormValue }

type ProviderSettingsProps = {
  form: ProviderForm | undefined
  value: SentSettings
  secretsSet?: readonly string[]
  errors: Record<string, string>
  onChange: (value: SentSettings) => void
}

/** How fast a bot sends, and the settings of its provider. */
export function ProviderSettings({ form, value, secretsSet = [], errors, onChange }: ProviderSettingsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-2 text-section font-semibold">Sending</legend>
      <Field
        label="Messages per second"
        error={errors['ratePerSecond']}
        help="As agreed with the provider"
        className="sm:w-1/2 sm:pr-2"
      >
        <Input
          type="number"
          min={1}
          max={10_000}
          value={value.ratePerSecond || ''}
          onChange={({ target }) => onChange({ ...value, ratePerSecond: Number(target.value) })}
        />
      </Field>
      <SchemaForm
        schema={schemaOf(form)}
        value={value.config}
        secretsSet={secretsSet}
        onChange={(config) => onChange({ ...value, config })}
        errors={errors}
        path="config"
      />
    </fieldset>
  )
}

export function defaultSettings(form: ProviderForm | undefined): SentSettings {
  return { ratePerSecond: 10, config: asRecord(defaultsOf(schemaOf(form))) }
}

/** Without the id and the token for callbacks, which the server sets. */
function schemaOf(form: ProviderForm | undefined) {
  const { schema = {} } = form ?? {}
  const {
    agentId: _,
    botId: __,
    clientToken: ___,
    ...properties
  }: Record<string, unknown> = Object(schema['properties'])
  const required = Array.isArray(schema['required']) ? schema['required'].filter((name) => name in properties) : []
  return readSchema({ ...schema, properties, required })
}
