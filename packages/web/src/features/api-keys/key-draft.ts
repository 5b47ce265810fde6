import type { ApiEnvironment, ApiKey, ApiKeyInput } from '@carillon/contract/api-key-records'
import type { ApiScope } from '@carillon/contract/api-scopes'
import { calendarDay } from '../../lib/format.ts'

/** `kept`: the present expiry of a key that is edited. */
export type Expiry = 'never' | 'kept' | '30' | '90' | '365' | 'day'

export type KeyDraft = {
  name: string
  environment: ApiEnvironment
  scopes: readonly ApiScope[]
  /** Empty for none. */
  keyConfigId: string
  /** Separated by lines, spaces or commas. */
  addresses: string
  expiry: Expiry
  /** The last day, of the expiry `day`. */
  day: string
}

export function newDraft(scopes: readonly ApiScope[]): KeyDraft {
  return { name: '', environment: 'test', scopes, keyConfigId: '', addresses: '', expiry: 'never', day: '' }
}

export function draftOf({ name, environment, scopes, keyConfigId, ipAllowlist, expiresAt }: ApiKey): KeyDraft {
  return {
    name,
    environment,
    scopes,
    keyConfigId: keyConfigId ?? '',
    addresses: ipAllowlist.join('\n'),
    expiry: expiresAt ? 'kept' : 'never',
    day: '',
  }
}

/** The body of a new key, or of a change that leaves the rest as it is. */
export function inputOf(
  draft: KeyDraft,
  now = Date.now(),
): Omit<ApiKeyInput, 'expiresAt'> & { expiresAt?: string | null } {
  const expiresAt = expiryOf(draft, now)
  return {
    name: draft.name.trim(),
    scopes: [...draft.scopes],
    keyConfigId: draft.keyConfigId || null,
    ipAllowlist: linesOf(draft.addresses),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
}

export function linesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

const dayMs = 86_400_000

/** Undefined leaves the expiry of a key as it is. */
function expiryOf({ expiry, day }: KeyDraft, now: number): string | null | undefined {
  if (expiry === 'kept') return undefined
  if (expiry === 'never') return null
  // Refused as empty by the server.
  if (expiry === 'day') return day === '' ? '' : endOfDay(day)
  return new Date(now + Number(expiry) * dayMs).toISOString()
}

const quarterMs = 900_000

/** The last second of a day in the account's time zone. Offsets of zones are multiples of a quarter of an hour. */
export function endOfDay(day: string, timeZone?: string): string {
  let instant = Date.parse(`${day}T23:59:59Z`) + dayMs
  while (calendarDay(instant, timeZone) > day) instant -= quarterMs
  return new Date(instant).toISOString()
}

/** The first error of a list, with the entry that it is about. */
export function listError(
  errors: Record<string, string>,
  path: string,
  entries: readonly string[],
): string | undefined {
  if (errors[path]) return errors[path]
  const found = Object.entries(errors).find(([field]) => field.startsWith(`${path}.`))
  if (!found) return undefined
  const entry = entries[Number(found[0].slice(path.length + 1))]
  return entry === undefined ? found[1] : `${entry}: ${found[1]}`
}
