import { Calls } from './calls.gen.ts'
import { createHttp, type CarillonOptions } from './http.ts'

/** The public API of a Carillon server. */
export class Carillon extends Calls {
  constructor(options: CarillonOptions) {
    super(createHttp(options))
  }
}

export type * from './calls.gen.ts'
export { CarillonError, type ErrorDetail } from './carillon-error.ts'
export type { CallOptions, CarillonOptions, Pages, WriteOptions } from './http.ts'
export { verifyWebhook, WebhookVerificationError, type WebhookHeaders } from './verify-webhook.ts'
