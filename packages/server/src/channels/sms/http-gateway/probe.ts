import { EgressError } from '../../../egress/egress.ts'
import type { Probe, ProviderIo } from '../../provider.ts'
import type { SmsMessage } from '../message.ts'
import { readAnswer } from './answer.ts'
import type { HttpGatewayConfig } from './config.ts'
import { buildRequest } from './request.ts'

const patienceMs = 10_000

/** An invalid recipient: no gateway can deliver to it, but each one checks the credentials first. */
const nothing: SmsMessage = {
  reference: 'connection-check',
  to: '',
  from: '',
  text: '',
  parts: 1,
  encoding: 'gsm7',
  entityId: undefined,
  dltTemplateId: undefined,
  expiresAt: new Date(0),
}

/** Sends an undeliverable message to test the credentials, whatever else the gateway rejects about it. */
export async function probe(config: HttpGatewayConfig, { egress }: Pick<ProviderIo, 'egress'>): Promise<Probe> {
  try {
    const answer = await egress.request({ ...buildRequest(nothing, config, ''), timeoutMs: patienceMs })
    const outcome = readAnswer(answer, config, nothing.reference)
    const code = String(answer.status)
    if (outcome.kind === 'rejected' && outcome.reason === 'channel_auth')
      return {
        isConnected: false,
        code: outcome.code,
        message: `The gateway rejected the credentials: ${outcome.detail}`,
      }
    if (answer.status === 404)
      return { isConnected: false, code, message: 'The gateway has nothing at this URL (404): check it' }
    if (answer.status >= 500)
      return { isConnected: false, code, message: `The gateway failed with an internal error (${code})` }
    return { isConnected: true }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return { isConnected: false, code: error.code, message: `The gateway could not be reached: ${error.message}` }
  }
}
