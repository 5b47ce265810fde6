import type { FastifyInstance } from 'fastify'
import type { Gateway } from './counter.ts'
import { addJasmin } from './jasmin.ts'
import { addKannel } from './kannel.ts'
import { addMsg91 } from './msg91.ts'
import { addPlain } from './plain.ts'
import { addTwilio } from './twilio.ts'

/** The HTTP gateway of the same operator, with the interfaces of five products. */
export async function httpGateway(app: FastifyInstance, gateway: Gateway) {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  addTwilio(app, gateway)
  addMsg91(app, gateway)
  addKannel(app, gateway)
  addJasmin(app, gateway)
  addPlain(app, gateway)
}
