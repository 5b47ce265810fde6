import { EgressError } from '../../../egress/egress.ts'
import { Refusal } from '../../management.ts'
import type { Probe, ProviderCallIo } from '../../provider.ts'
import { credentialsOf } from './api.ts'
import type { DotgoConfig } from './config.ts'
import { templateCalls } from './templates.ts'
import { getToken } from './tokens.ts'

/** Requests a token for sending, and lists the templates. */
export async function probe(config: DotgoConfig, io: ProviderCallIo): Promise<Probe> {
  try {
    await getToken(credentialsOf(config, 'bot'), io)
    await templateCalls(config, io).list({})
    return { isConnected: true }
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof EgressError)) throw error
    return { isConnected: false, code: error.code, message: error.message }
  }
}
