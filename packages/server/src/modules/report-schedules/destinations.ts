import type { ReportDestination, ReportDestinationInput } from '@carillon/contract/report-schedule-records'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { EgressError, type Egress } from '../../egress/egress.ts'
import { badField } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { newSecret } from '../webhooks/index.ts'

/** A destination as it is stored. */
export type StoredDestination = { destination: ReportDestination; secrets: Buffer | null }

type Place = { organizationId: string; id: string }

const placeOf = ({ organizationId, id }: Place) => ({ table: 'report_schedules', organizationId, id })

/** Throws if requests to the destination would be refused. Deliveries check again. */
export async function assertReachable(egress: Egress, destination: ReportDestinationInput): Promise<void> {
  if (destination.type === 'email') return
  const [field, url] =
    destination.type === 's3'
      ? (['destination.endpoint', destination.endpoint] as const)
      : (['destination.url', destination.url] as const)
  if (destination.type === 's3' && new URL(url).search + new URL(url).hash !== '')
    throw badField(field, 'Enter the address of the server without parameters')
  try {
    await egress.checkUrl(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw badField(field, error.code === 'EGRESS_REFUSED' ? error.message : 'The host name cannot be resolved')
  }
}

type Wanted = {
  secretBox: SecretBox
  place: Place
  destination: ReportDestinationInput
  /** What it replaces. */
  before?: StoredDestination
}

/** Checks a destination and seals its secrets. Those of a destination of the same server are kept. */
export async function storeDestination(db: Db, wanted: Wanted): Promise<StoredDestination> {
  const { destination, place, before, secretBox } = wanted
  if (destination.type === 'email') {
    const addresses = [...new Set(destination.addresses.map((address) => address.toLowerCase()))]
    await assertMembers(db, place.organizationId, addresses)
    return { destination: { type: 'email', addresses }, secrets: null }
  }
  const kept = before?.secrets && isSameServer(before.destination, destination) ? before.secrets : undefined
  if (destination.type === 'webhook')
    return { destination, secrets: kept ?? sealWebhookSecret(secretBox, place, newSecret('v1').secret) }
  const { secretAccessKey, ...shown } = destination
  if (secretAccessKey !== undefined)
    return { destination: shown, secrets: secretBox.seal({ secretAccessKey }, placeOf(place)) }
  if (!kept) throw badField('destination.secretAccessKey', 'Enter the secret access key')
  return { destination: shown, secrets: kept }
}

/** A secret is never sent to another server than the one it was entered for. */
function isSameServer(before: ReportDestination, now: ReportDestinationInput): boolean {
  if (before.type === 'webhook' && now.type === 'webhook') return new URL(before.url).origin === new URL(now.url).origin
  return (
    before.type === 's3' &&
    now.type === 's3' &&
    before.endpoint === now.endpoint &&
    before.accessKeyId === now.accessKeyId
  )
}

export function sealWebhookSecret(secretBox: SecretBox, place: Place, secret: string): Buffer {
  return secretBox.seal({ secret }, placeOf(place))
}

export function openSecrets(secretBox: SecretBox, place: Place, sealed: Buffer | null): Record<string, string> {
  return sealed === null ? {} : secretBox.open(sealed, placeOf(place))
}

export async function findMembers(db: Db, organizationId: string, addresses: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select find_members as email from find_members(${organizationId}::uuid, ${addresses}::text[])`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

async function assertMembers(db: Db, organizationId: string, addresses: readonly string[]): Promise<void> {
  const members = await findMembers(db, organizationId, addresses)
  const unknown = addresses.filter((address) => !members.has(address))
  if (unknown.length > 0)
    throw badField('destination.addresses', `Not an active member of your organization: ${unknown.join(', ')}`)
}

/** What the log calls the recipients of a destination. */
export function targetsOf(destination: ReportDestination): readonly string[] {
  if (destination.type === 'email') return destination.addresses
  return [destination.type === 'webhook' ? new URL(destination.url).host : destination.bucket]
}
