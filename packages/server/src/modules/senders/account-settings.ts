import type { Provider } from '../../channels/provider.ts'
import { badField } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { changesDestination, joinSecrets, parseConfig, splitSecrets } from './provider-config.ts'

type Fields = Record<string, unknown>

/** The stored settings of an account. */
export type StoredSettings = {
  organizationId: string
  accountId: string
  config: Fields
  secrets: Buffer | null
  secretNames: readonly string[]
}

export type EnteredSettings = {
  /** Secrets that are absent keep their stored value. */
  config: Fields
  /** Generated secrets, used where none is stored. */
  generated?: Record<string, string>
}

export type Settings = {
  config: Fields
  secrets: Record<string, string>
  /** The settings with which the provider is opened. */ parsed: unknown
}

/** The stored settings merged with the entered ones; validated by the provider's schema. */
export function readSettings(
  provider: Provider<unknown>,
  {
    entered,
    stored,
    secretBox,
  }: { entered: EnteredSettings; stored: StoredSettings | undefined; secretBox: SecretBox },
): Settings {
  const { generated = {} } = entered
  const { config, secrets: sent } = splitSecrets(provider, entered.config)
  const unsent = stored?.secretNames.find((name) => sent[name] === undefined && generated[name] === undefined)
  if (unsent !== undefined && stored && changesDestination(provider, stored.config, config))
    throw badField(`config.${unsent}`, 'Enter this again: the server address changed')
  const secrets = { ...generated, ...(stored ? openStored(stored, { secretBox, unsent }) : {}), ...sent }
  return { config, secrets, parsed: parseConfig(provider, joinSecrets(config, secrets)) }
}

/** Stored secrets are kept; if the key was lost, they must be entered again. */
function openStored(
  stored: StoredSettings,
  { secretBox, unsent }: { secretBox: SecretBox; unsent: string | undefined },
): Record<string, string> {
  try {
    return stored.secrets ? secretBox.open(stored.secrets, placeOf(stored)) : {}
  } catch {
    if (unsent === undefined) return {}
    throw badField(`config.${unsent}`, 'Enter this again: the stored value cannot be decrypted')
  }
}

/** The columns of an account with its settings. */
export function sealSettings(
  { config, secrets }: Settings,
  key: { organizationId: string; accountId: string },
  secretBox: SecretBox,
) {
  return {
    config: JSON.stringify(config),
    secrets: secretBox.seal(secrets, placeOf(key)),
    secret_names: Object.keys(secrets),
  }
}

function placeOf({ organizationId, accountId }: { organizationId: string; accountId: string }) {
  return { table: 'provider_accounts', organizationId, id: accountId }
}
