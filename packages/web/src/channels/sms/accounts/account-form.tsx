import type { ProviderForm } from '@carillon/contract/senders'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { SchemaForm } from '../../../ui/schema-form/schema-form.tsx'
import { readSchema } from '../../../ui/schema-form/schema.ts'
import { Select } from '../../../ui/select.tsx'
import { configOf, type AccountDraft } from './account-draft.ts'

type AccountFormProps = {
  draft: AccountDraft
  onChange: (draft: AccountDraft) => void
  providers: readonly ProviderForm[]
  errors: Record<string, string>
  secretsSet: readonly string[]
  isNew: boolean
}

export function AccountForm(props: AccountFormProps) {
  return (
    <>
      <IdentityFields {...props} />
      <ConnectionFields {...props} />
    </>
  )
}

function IdentityFields({ draft, onChange, errors, isNew }: AccountFormProps) {
  const set = (change: Partial<AccountDraft>) => onChange({ ...draft, ...change })
  return (
    <section className="grid gap-4 sm:grid-cols-2">
      <Field label="Name" error={errors['name']} help="Only you see it.">
        <Input
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
          autoFocus={isNew}
          maxLength={120}
        />
      </Field>
      <Field
        label="Parts per second"
        error={errors['ratePerSecond']}
        help="As agreed with the operator; long messages count once for each part."
      >
        <Input
          type="number"
          min={1}
          max={10000}
          value={draft.ratePerSecond || ''}
          onChange={(event) => set({ ratePerSecond: Number(event.target.value) })}
        />
      </Field>
      <Field
        label="Headers"
        error={errors['headers'] ?? firstOf(errors, 'headers.')}
        help="Registered sender ids, separated by commas."
      >
        <Input
          mono
          value={draft.headers}
          onChange={(event) => set({ headers: event.target.value })}
          placeholder="ACMERT, ACMEPR"
        />
      </Field>
      <Field label="DLT entity id" hint="(optional)" error={errors['entityId']} help="19 digits; for traffic in India.">
        <Input
          mono
          inputMode="numeric"
          value={draft.entityId}
          onChange={(event) => set({ entityId: event.target.value.trim() })}
          maxLength={19}
        />
      </Field>
    </section>
  )
}

function ConnectionFields({ draft, onChange, providers, errors, secretsSet, isNew }: AccountFormProps) {
  const provider = providers.find(({ name }) => name === draft.provider)
  const set = (change: Partial<AccountDraft>) => onChange({ ...draft, ...change })
  return (
    <section className="flex flex-col gap-4">
      <h3 className="text-section font-semibold">Connection</h3>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Provider" error={errors['provider']} help={provider?.description}>
          <Select
            options={providers.map(({ name, label }) => ({ value: name, label }))}
            value={draft.provider}
            disabled={!isNew}
            onValueChange={(name) =>
              set({ provider: name, config: configOf(providers.find((one) => one.name === name)) })
            }
          />
        </Field>
        {isNew && provider && provider.presets.length > 0 ? (
          <Field label="Start from" help="Fills in the operator’s known settings.">
            <Select
              options={[
                { value: '', label: 'Nothing' },
                ...provider.presets.map(({ name, label }) => ({ value: name, label })),
              ]}
              defaultValue=""
              onValueChange={(preset) => set({ config: configOf(provider, preset) })}
            />
          </Field>
        ) : null}
      </div>
      {provider ? (
        <SchemaForm
          key={provider.name}
          schema={readSchema(provider.schema)}
          value={draft.config}
          onChange={(config) => set({ config })}
          errors={withoutPrefix(errors, 'config.')}
          secretsSet={secretsSet}
        />
      ) : null}
    </section>
  )
}

function withoutPrefix(errors: Record<string, string>, prefix: string): Record<string, string> {
  const own = Object.entries(errors).filter(([field]) => field.startsWith(prefix))
  return Object.fromEntries(own.map(([field, message]) => [field.slice(prefix.length), message]))
}

function firstOf(errors: Record<string, string>, prefix: string): string | undefined {
  return Object.values(withoutPrefix(errors, prefix))[0]
}
