import type { rcsBotAdminEndpoints, RcsPartnerInput } from '@carillon/contract/channels/rcs/rcs-bot-admin'
import { createPrivateKey } from 'node:crypto'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { issueMessage } from '../../../lib/issue-message.ts'
import { badField, Problem } from '../../../lib/problem.ts'
import { recordAudit, whoActs } from '../../../modules/audit/index.ts'
import {
  findInstallationSettings,
  recheckConnections,
  saveInstallationSettings,
  withProviderErrors,
  type ProviderQueryDeps,
} from '../../../modules/senders/index.ts'
import { listProviders } from '../../index.ts'
import { RcsPartner, rcsPartnerKey } from '../partner.ts'
import { withDeadline } from './bot-partner.ts'
import { countBots } from './bots-read.ts'

type Part = Pick<Handlers<typeof rcsBotAdminEndpoints>, 'rcsPartner.get' | 'rcsPartner.set' | 'rcsPartner.check'>

/** The installation's partner account: set by the administrator, its key never returned. */
export function partnerHandlers(deps: ProviderQueryDeps): Part {
  const answer = async (call: Caller) => {
    const bots = await call.scoped((db) => countBots(db, call.actor.scope, { state: 'created' }))
    return presentPartner(await call.asSystem((db) => findStored(db, deps)), bots)
  }
  return {
    'rcsPartner.get': { withoutTransaction: answer },
    'rcsPartner.set': {
      withoutTransaction: async (call) => {
        await call.asSystem((db) => savePartner(db, { actor: call.actor, input: call.input.body }, deps))
        return answer(call)
      },
    },
    'rcsPartner.check': {
      withoutTransaction: async ({ asSystem, input }) => {
        const settings = await asSystem((db) => readInput(db, input.body, deps))
        return checkPartner(settings, deps)
      },
    },
  }
}

/** Settings of the installation belong to no organisation, so they are read and written across all. */
type Caller = { actor: UserActor; scoped: RunTransaction; asSystem: RunTransaction }

type Saving = { actor: UserActor; input: RcsPartnerInput }

async function savePartner(db: Db, { actor, input }: Saving, deps: ProviderQueryDeps): Promise<void> {
  const settings = await readInput(db, input, deps)
  await saveInstallationSettings(db, { key: rcsPartnerKey, settings, secretBox: deps.secretBox })
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'rcs_partner.changed',
    details: { clientEmail: settings.serviceAccount.client_email, isNewKey: input.keyFile !== '' },
  })
  // Bots that failed because of the earlier key are checked now, and their campaigns resumed.
  await addJob(db, recheckConnections, { payload: {}, jobKey: 'recheck-connections' })
}

async function findStored(db: Db, { secretBox }: ProviderQueryDeps): Promise<RcsPartner | undefined> {
  return RcsPartner.safeParse(await findInstallationSettings(db, { key: rcsPartnerKey, secretBox })).data
}

function presentPartner(stored: RcsPartner | undefined, bots: number) {
  return {
    isSet: stored !== undefined,
    clientEmail: stored?.serviceAccount.client_email ?? null,
    tokenUrl: stored?.serviceAccount.token_uri ?? null,
    apiUrl: stored?.apiUrl ?? null,
    managementUrl: stored?.managementUrl ?? null,
    bots,
  }
}

async function readInput(db: Db, input: RcsPartnerInput, deps: ProviderQueryDeps): Promise<RcsPartner> {
  const { keyFile, apiUrl, managementUrl } = input
  const stored = await findStored(db, deps)
  if (keyFile === '') assertSameDestination(stored, { apiUrl, managementUrl })
  const parsed = RcsPartner.safeParse(
    {
      serviceAccount: keyFile === '' ? stored?.serviceAccount : parseKeyFile(keyFile),
      ...(apiUrl === '' ? {} : { apiUrl }),
      ...(managementUrl === '' ? {} : { managementUrl }),
    },
    { error: issueMessage },
  )
  if (!parsed.success) throw fieldProblem(parsed.error.issues)
  assertPrivateKey(parsed.data.serviceAccount.private_key)
  return parsed.data
}

/** The stored key would be sent to another server, which may not be the administrator's own. */
function assertSameDestination(stored: RcsPartner | undefined, to: { apiUrl: string; managementUrl: string }): void {
  if (!stored) throw badField('keyFile', 'Paste or choose the key file of the service account')
  const isSame = (stored.apiUrl ?? '') === to.apiUrl && (stored.managementUrl ?? '') === to.managementUrl
  if (!isSame) throw badField('keyFile', 'Enter the key file again: the server address changed')
}

function parseKeyFile(text: string): object {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    throw badField('keyFile', 'This is not a JSON file: download the key of the service account as JSON')
  }
  const { type }: { type?: unknown } = Object(file)
  if (type !== 'service_account')
    throw badField('keyFile', 'This is not the key of a service account: its type is not service_account')
  return Object(file)
}

function assertPrivateKey(key: string): void {
  try {
    createPrivateKey(key)
  } catch {
    throw badField('keyFile', 'The private_key in the file cannot be read: download the key again')
  }
}

/** The form has one field for the whole key file. */
function fieldProblem(issues: readonly { path: PropertyKey[]; message: string }[]): Problem {
  const details = issues.map(({ path: [first], message }) => ({
    field: first === 'serviceAccount' ? 'keyFile' : String(first),
    message,
  }))
  return new Problem('bad_request', details[0]?.message ?? 'Check the settings', { details })
}

async function checkPartner(settings: RcsPartner, { io }: ProviderQueryDeps) {
  const provider = listProviders('rcs').find(({ partner }) => partner)
  try {
    const brands = await withProviderErrors(async () => provider?.partner?.(settings, withDeadline(io)).check())
    const { length } = brands ?? []
    return {
      isConnected: true,
      message: `Google accepts the service account: ${length === 1 ? 'one brand' : `${length} brands`}`,
      brands: brands ?? [],
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { isConnected: false, message: error.message, brands: [] }
  }
}
