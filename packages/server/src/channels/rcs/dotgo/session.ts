import { openHttpSession } from '../../http-session.ts'
import type { ProviderIo, Session } from '../../provider.ts'
import { messageIdOf } from '../message-id.ts'
import type { RcsMessage } from '../message.ts'
import { openApi } from './api.ts'
import type { DotgoConfig } from './config.ts'
import { readFailure, readSent } from './outcome.ts'
import { sendRequest } from './request.ts'

/** Each message is a request of one bot. */
export function openSession(config: DotgoConfig, io: ProviderIo): Session<RcsMessage> {
  const api = openApi(config, 'bot', io)
  return openHttpSession(io, {
    name: config.botId,
    concurrency: config.concurrency,
    subject: 'The bot',
    async hand(message) {
      try {
        return readSent(await api(sendRequest(message, config)), messageIdOf(message.reference))
      } catch (error) {
        return readFailure(error)
      }
    },
  })
}
