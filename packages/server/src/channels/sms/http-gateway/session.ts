import { openHttpSession } from '../../http-session.ts'
import type { ProviderIo, Session } from '../../provider.ts'
import type { SmsMessage } from '../message.ts'
import { readAnswer, readFailure } from './answer.ts'
import type { HttpGatewayConfig } from './config.ts'
import { buildRequest } from './request.ts'

export function openSession(config: HttpGatewayConfig, io: ProviderIo): Session<SmsMessage> {
  return openHttpSession(io, {
    name: 'http',
    concurrency: config.concurrency,
    subject: 'The account',
    async hand(message) {
      try {
        const answer = await io.egress.request(buildRequest(message, config, io.callbackUrl))
        return readAnswer(answer, config, message.reference)
      } catch (error) {
        return readFailure(error)
      }
    },
  })
}
