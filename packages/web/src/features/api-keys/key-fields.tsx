import type { KeyConfig } from '@carillon/contract/key-config-records'
import type { ApiScope } from '@carillon/contract/api-scopes'
import type { Dispatch } from 'react'
import { formatDate } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { Field } from '../../ui/field.tsx'
import { Input, Textarea } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioGroup } from '../../ui/radio.tsx'
import { Select } from '../../ui/select.tsx'
import { environmentLabels } from './key-labels.ts'
import { linesOf, listError, type Expiry, type KeyDraft } from './key-draft.ts'
import { ScopeChoice } from './scope-choice.tsx'

/** Fields whose errors `KeyFields` shows. */
export const keyFields = ['name', 'scopes', 'keyConfigId', 'ipAllowlist', 'expiresAt']

type KeyFieldsProps = {
  draft: KeyDraft
  errors: Record<string, string>
  usable: ReadonlySet<ApiScope>
  /** Of a key that is edited. */
  expiresAt?: string | null
  isNew?: boolean
  onChange: Dispatch<Partial<KeyDraft>>
}

/** Name, environment, scopes, config, addresses and expiry of a key. */
export function KeyFields({ draft, errors, usable, expiresAt = null, isNew, onChange }: KeyFieldsProps) {
  return (
    <>
      <Field label="Name" help="Where the key is used, such as Shop server." error={errors['name']}>
        <Input
          autoComplete="off"
          maxLength={120}
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </Field>
      {isNew ? <Environment draft={draft} onChange={onChange} /> : null}
      <ScopeChoice
        chosen={draft.scopes}
        usable={usable}
        error={errors['scopes']}
        onChange={(scopes) => onChange({ scopes })}
      />
      {draft.environment === 'test' && draft.scopes.some((scope) => !isForTests(scope)) ? (
        <Notice tone="info">Test keys read, and send to the sandbox. They cannot change live data.</Notice>
      ) : null}
      <ConfigField draft={draft} error={errors['keyConfigId']} onChange={onChange} />
      <Field
        label="Allowed addresses"
        hint="optional"
        help="One per line, such as 203.0.113.7 or 203.0.113.0/24. Calls from other addresses are refused. Empty: any address."
        error={listError(errors, 'ipAllowlist', linesOf(draft.addresses))}
      >
        <Textarea
          rows={2}
          spellCheck={false}
          className="font-mono text-dense"
          value={draft.addresses}
          onChange={({ target }) => onChange({ addresses: target.value })}
        />
      </Field>
      <ExpiryFields draft={draft} expiresAt={expiresAt} error={errors['expiresAt']} onChange={onChange} />
    </>
  )
}

/** Whether test keys can make all calls of a scope. */
const isForTests = (scope: ApiScope) =>
  scope.endsWith(':read') || scope === 'messages:send' || scope === 'webhooks:write'

type PartProps = { draft: KeyDraft; onChange: Dispatch<Partial<KeyDraft>> }

function Environment({ draft, onChange }: PartProps) {
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="font-medium">
        Environment
      </span>
      <RadioGroup
        label="Environment"
        value={draft.environment}
        onValueChange={(environment) => onChange({ environment, keyConfigId: '' })}
        choices={[
          {
            value: 'test',
            label: environmentLabels.test,
            help: 'For development. Messages go to the sandbox: no phone gets them, and they cost nothing.',
          },
          { value: 'live', label: environmentLabels.live, help: 'For production. Calls act on your account.' },
        ]}
      />
    </div>
  )
}

const isFor = ({ payload }: KeyConfig, environment: string) =>
  payload.binding.environment === undefined || payload.binding.environment === environment

function ConfigField({ draft, error, onChange }: PartProps & { error: string | undefined }) {
  const configs = useApi('keyConfigs.list', { query: { limit: 100 } })
  const own = configs.data?.data.filter((config) => config.isOwn && isFor(config, draft.environment)) ?? []
  return (
    <Field
      label="Key config"
      hint="optional"
      help="Rules for channels, senders, rates and spending. Without one, only the limits of your account apply."
      error={error ?? configs.error?.message}
    >
      <Select
        value={draft.keyConfigId || 'none'}
        options={[
          { value: 'none', label: 'None' },
          ...own.map(({ id, payload }) => ({ value: id, label: payload.binding.name })),
        ]}
        onValueChange={(id) => onChange({ keyConfigId: id === 'none' ? '' : id })}
      />
    </Field>
  )
}

function ExpiryFields({
  draft,
  expiresAt,
  error,
  onChange,
}: PartProps & { expiresAt: string | null; error: string | undefined }) {
  const options: { value: Expiry; label: string }[] = [
    ...(expiresAt ? [{ value: 'kept' as const, label: `On ${formatDate(expiresAt)}` }] : []),
    { value: 'never', label: 'Never' },
    { value: '30', label: 'In 30 days' },
    { value: '90', label: 'In 90 days' },
    { value: '365', label: 'In a year' },
    { value: 'day', label: 'On a day…' },
  ]
  const isDay = draft.expiry === 'day'
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Expires" error={isDay ? undefined : error} help={isDay ? undefined : 'Calls fail afterwards.'}>
        <Select value={draft.expiry} options={options} onValueChange={(expiry) => onChange({ expiry })} />
      </Field>
      {isDay ? (
        <Field label="Last day" error={error}>
          <Input type="date" value={draft.day} onChange={({ target }) => onChange({ day: target.value })} />
        </Field>
      ) : null}
    </div>
  )
}
