import { EgressError } from '../../../egress/egress.ts'
import { Refusal } from '../../management.ts'
import type { Probe, ProviderCallIo } from '../../provider.ts'
import { rowOf, stringOf } from '../../read-json.ts'
import { parseJson } from '../json.ts'
import { openApi } from './api.ts'
import type { RbmConfig } from './config.ts'

/**
 * Asks for the capabilities of no numbers. Google checks the caller and the agent before the list, so the refusal of the empty list
 * shows that both are right.
 */
export async function probe(config: RbmConfig, io: ProviderCallIo): Promise<Probe> {
  const { agentId } = config
  try {
    const answer = await openApi(
      config,
      io,
    )({
      method: 'POST',
      path: 'users:batchGet',
      query: {},
      json: { users: [], agentId },
    })
    if (answer.status === 200 || answer.status === 400) return { isConnected: true }
    const message = stringOf(rowOf(rowOf(parseJson(answer.body))['error'])['message'])
    const code = String(answer.status)
    return { isConnected: false, code, message: message ?? `Google responded with ${code}` }
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof EgressError)) throw error
    return { isConnected: false, code: error.code, message: error.message }
  }
}
