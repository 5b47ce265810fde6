import type {
  WhatsappConnectionChange,
  WhatsappConnectionInput,
} from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { z } from 'zod'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { newToken } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secrets.ts'
import { changeAccount, connectAccount, type ProviderAccount } from '../../../modules/senders/index.ts'
import { automaticSteps } from './connection-steps.ts'

type Changed = z.infer<typeof WhatsappConnectionChange>
type NewConnection = WhatsappConnectionInput & { solutionId?: string | null }

export async function createConnection(
  db: Db,
  { actor, input, secretBox }: { actor: UserActor; input: NewConnection; secretBox: SecretBox },
): Promise<string> {
  const { waba_id, name = `WhatsApp ${waba_id}`, solutionId = null } = input
  const config = { ...settingsOf(input), wabaId: waba_id }
  const entered = { name, externalId: waba_id, config, generated: generateSecrets(), setup: { solutionId } }
  return withFormFields(() => connectAccount(db, { actor, channel: 'whatsapp', input: entered, secretBox }))
}

/** Changes the entered settings. The automatic steps run again; registration and test keep their results. */
export async function changeConnection(
  db: Db,
  change: { actor: UserActor; account: ProviderAccount; input: Changed; secretBox: SecretBox },
): Promise<void> {
  const { input, ...rest } = change
  const entered = { name: input.name, config: settingsOf(input), generated: generateSecrets() }
  return withFormFields(() => changeAccount(db, { ...rest, input: entered, undoneSteps: automaticSteps }))
}

const generateSecrets = () => ({ verifyToken: newToken() })

/** The entered values, by the names of the provider's settings. */
function settingsOf(input: Changed): Record<string, unknown> {
  const { accessToken, appId, appSecret, graphUrl, graphVersion } = input
  const given = Object.entries({ accessToken, appId, appSecret, graphUrl, graphVersion })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''))
}

/** The form has the settings at its top level, so errors name them without `config`. */
async function withFormFields<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || !error.details) throw error
    const details = error.details.map(({ field, message }) => ({ field: field.replace(/^config\./, ''), message }))
    throw new Problem(error.code, error.message, { details })
  }
}
