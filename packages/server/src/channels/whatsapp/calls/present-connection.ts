import {
  ConnectionStep,
  type StepState,
  type WhatsappConnection,
  type WhatsappNumber,
} from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { z } from 'zod'
import type { LineRow, ProviderAccount } from '../../../modules/senders/index.ts'

/** What each step waits for before it runs. */
const waitingFor: Record<ConnectionStep, string> = {
  token: 'The token has not been checked yet',
  account: 'The account and its numbers are read once the token is valid',
  subscription: 'Webhooks are subscribed once the account has been read',
  webhook: 'Waiting for Meta to call the callback URL',
  registration: 'Enter the two-step PIN of the number, six digits, to register it',
  test: 'Enter a number with WhatsApp to send a test message',
}

/** What this channel stores in an account's setup. */
const OwnSetup = z.object({ solutionId: z.string().nullable().default(null) })

export function presentConnection(
  account: ProviderAccount,
  lines: readonly LineRow[],
  callbackAddress: (key: string) => string,
): WhatsappConnection {
  const steps = ConnectionStep.options.map((step): StepState => {
    const taken = account.setup.steps[step]
    return taken ? { step, ...taken } : { step, state: 'waiting', message: waitingFor[step], at: null }
  })
  return {
    _id: account.id,
    waba_id: account.external_id,
    name: account.name,
    provider: account.provider,
    config: account.config,
    secretsSet: account.secret_names.filter((name) => name !== 'verifyToken'),
    callbackUrl: callbackAddress(account.callback_key),
    steps,
    isReady: steps.every(({ state }) => state === 'passed'),
    numbers: lines.filter((line) => line.provider_account_id === account.id).map(presentNumber),
    solutionId: OwnSetup.parse(account.setup).solutionId,
    createdAt: account.created_at.toISOString(),
  }
}

export function presentNumber(line: LineRow): WhatsappNumber {
  const { facts } = line
  return {
    _id: line.id,
    connectionId: line.provider_account_id,
    waba_id: line.account_external_id,
    phone_number_id: line.external_id,
    displayPhoneNumber: facts.displayNumber,
    verifiedName: facts.name,
    nameStatus: facts.nameStatus,
    quality: facts.quality,
    status: facts.status,
    messagingLimit: facts.messagingLimit,
    ratePerSecond: line.rate_per_second,
    mode: facts.mode,
    isActive: line.is_active,
    registeredAt: line.registered_at?.toISOString() ?? null,
    checkedAt: line.checked_at?.toISOString() ?? null,
  }
}
