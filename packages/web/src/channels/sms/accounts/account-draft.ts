import type { SmsAccount, SmsAccountInput } from '@carillon/contract/channels/sms/sms-accounts'
import type { ProviderForm } from '@carillon/contract/senders'
import { asRecord, defaultsOf, labelOf, readSchema } from '../../../ui/schema-form/schema.ts'

/** Form state of an account: headers as one text, settings in the shape of the provider's schema. */
export type AccountDraft = {
  name: string
  provider: string
  headers: string
  entityId: string
  ratePerSecond: number
  config: Record<string, unknown>
}

export function emptyDraft(providers: readonly ProviderForm[]): AccountDraft {
  const first = providers[0]
  return {
    name: '',
    provider: first?.name ?? '',
    headers: '',
    entityId: '',
    ratePerSecond: 30,
    config: configOf(first),
  }
}

/** The form of a stored account; unset settings get their defaults. */
export function draftOf(account: SmsAccount, providers: readonly ProviderForm[]): AccountDraft {
  return {
    name: account.name,
    provider: account.provider,
    headers: account.headers.join(', '),
    entityId: account.entityId ?? '',
    ratePerSecond: account.ratePerSecond,
    config: { ...configOf(providers.find(({ name }) => name === account.provider)), ...account.config },
  }
}

/** Initial settings of a provider's form, with a preset's values on top. */
export function configOf(provider: ProviderForm | undefined, presetName?: string): Record<string, unknown> {
  const preset = provider?.presets.find(({ name }) => name === presetName)
  return { ...asRecord(defaultsOf(readSchema(provider?.schema ?? {}))), ...preset?.config }
}

export function inputOf(draft: AccountDraft): SmsAccountInput {
  return {
    name: draft.name,
    provider: draft.provider,
    headers: draft.headers.split(/[\s,;]+/).filter(Boolean),
    ...(draft.entityId ? { entityId: draft.entityId } : {}),
    ratePerSecond: draft.ratePerSecond,
    config: draft.config,
  }
}

/** All missing required fields, checked before the server is called. */
export function missingOf(draft: AccountDraft, provider: ProviderForm | undefined): Record<string, string> {
  const { required = [], properties = {} } = readSchema(provider?.schema ?? {})
  const settings = required.filter(
    (name) => properties[name]?.default === undefined && (draft.config[name] ?? '') === '',
  )
  return {
    ...(draft.name.trim() ? {} : { name: 'Enter a name' }),
    ...(draft.headers.trim() ? {} : { headers: 'Enter at least one header' }),
    ...Object.fromEntries(
      settings.map((name) => [`config.${name}`, `Enter ${labelOf(name, properties[name] ?? {}).toLowerCase()}`]),
    ),
  }
}
