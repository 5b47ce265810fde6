import { openHttpSession } from '../../http-session.ts'
import type { ProviderIo, Session } from '../../provider.ts'
import type { RcsMessage } from '../message.ts'
import { openApi } from './api.ts'
import type { RbmConfig } from './config.ts'
import { messageIdOf } from '../message-id.ts'
import { readFailure, readRevoked, readRevokeFailure, readSent } from './outcome.ts'
import { revokeRequest, sendRequest } from './request.ts'

/**
 * Messages handed over for each concurrent request. A message in doubt is repeated with the same id, so that more may be handed over
 * than requests are under way, and fewer commits are needed.
 */
const messagesPerRequest = 4

/** Each message is a request of one bot. */
export function openSession(config: RbmConfig, io: ProviderIo): Session<RcsMessage> {
  const api = openApi(config, io)
  const { agentId } = config
  return openHttpSession(io, {
    name: agentId,
    concurrency: config.concurrency,
    window: config.concurrency * messagesPerRequest,
    subject: 'The bot',
    async hand(message) {
      try {
        const answer = await api(sendRequest(message, { agentId, now: io.clock.now() }))
        return readSent(answer, messageIdOf(message.reference))
      } catch (error) {
        return readFailure(error)
      }
    },
    async revoke(request) {
      try {
        return readRevoked(await api(revokeRequest(request, config)))
      } catch (error) {
        return readRevokeFailure(error)
      }
    },
  })
}
