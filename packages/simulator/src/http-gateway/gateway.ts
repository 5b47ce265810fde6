import type { FastifyInstance } from 'fastify'
import type { Gateway } from './counter.ts'
import { jasminFace } from './jasmin.ts'
import { kannelFace } from './kannel.ts'
import { msg91Face } from './msg91.ts'
import { plainFace } from './plain.ts'
import { twilioFace } from './twilio.ts'

/** The HTTP gateway of the same operator, with the interfaces of five products. */
export async function httpGateway(app: FastifyInstance, gateway: Gateway) {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  twilioFace(app, gateway)
  msg91Face(app, gateway)
  kannelFace(app, gateway)
  jasminFace(app, gateway)
  plainFace(app, gateway)
}
