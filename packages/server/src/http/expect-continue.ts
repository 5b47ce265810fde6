import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Requests whose client waits for `100 Continue` before sending the body. */
const waiting = new WeakSet<IncomingMessage>()

/**
 * Answers `Expect: 100-continue` once the call is admitted, so that clients do not send a body that is rejected. By default
 * Node answers it before the handlers run.
 */
export function continueWhenAdmitted(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => {
    waiting.add(request)
    app.server.emit('request', request, response)
  })
  app.addHook('onRoute', (route) => {
    const limit = route.bodyLimit ?? Number.POSITIVE_INFINITY
    // After the route's own hooks, which reject callers.
    route.preParsing = [route.preParsing ?? []].flat()
    route.preParsing.push(async (request, reply) => {
      if (!waiting.delete(request.raw) || isTooLarge(request, limit)) return
      reply.raw.writeContinue()
    })
  })
}

/** The parser rejects such a body by its content length. Forms have limits of their own. */
function isTooLarge({ headers }: FastifyRequest, limit: number): boolean {
  const isForm = /^multipart\//i.test(headers['content-type'] ?? '')
  return !isForm && Number(headers['content-length'] ?? 0) > limit
}
