import type { SmsMessage } from '../message.ts'
import type { Provider } from '../../provider.ts'
import { readCallback } from './callbacks.ts'
import { HttpGatewayConfig } from './config.ts'
import { presets } from './presets.ts'
import { probe } from './probe.ts'
import { openSession } from './session.ts'

/** Any gateway that accepts messages over HTTP; the account's settings describe the request. */
export const httpGateway: Provider<HttpGatewayConfig, SmsMessage> = {
  channel: 'sms',
  name: 'http-gateway',
  label: 'HTTP gateway',
  description: 'An aggregator with an HTTP API; presets for common ones',
  config: HttpGatewayConfig,
  presets,
  idempotent: ({ idempotencyHeader }) => idempotencyHeader !== '',
  connect: openSession,
  probe,
  webhook: readCallback,
}
