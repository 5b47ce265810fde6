import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Row } from './objects.ts'
import type { Rbm } from './rbm.ts'
import { presentError, RbmError } from './rbm-error.ts'
import { isRow } from './reading.ts'

/** A body as the parsers below return it: JSON, a form, or bytes. */
export type Posted = { row?: Row; form?: URLSearchParams; bytes?: Buffer; size: number }

/** Body parsers and error format of the simulated platforms. */
export function speakGoogle(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    const text = body.toString()
    if (text === '') return done(null, { row: {}, size: 0 })
    try {
      const value: unknown = JSON.parse(text)
      done(null, isRow(value) ? { row: value, size: body.length } : { size: body.length })
    } catch {
      done(new RbmError('INVALID_ARGUMENT', 'Invalid JSON payload received.'))
    }
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, { form: new URLSearchParams(String(body)), size: body.length })
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, { bytes: body, size: body.length }),
  )
  app.setErrorHandler((error, _request, reply) => sendError(reply, error))
}

function sendError(reply: FastifyReply, error: unknown) {
  const { status, body } = presentError(error instanceof RbmError ? error : foreignError(error))
  if (status === 429) reply.header('retry-after', '1')
  return reply.code(status).type('application/json').send(body)
}

/** A body that is too large, or an error of the simulator itself. */
function foreignError(error: unknown): RbmError {
  if (isRow(error) && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new RbmError('INVALID_ARGUMENT', 'Request payload size exceeds the limit')
  return new RbmError('INTERNAL', `The simulator failed: ${String(error)}`)
}

export function postedOf(request: FastifyRequest): Posted {
  // Fastify passes the result of the parsers above, or undefined.
  return (request.body as Posted | undefined) ?? { size: 0 }
}

export function bodyOf(request: FastifyRequest): Row {
  const { row, size } = postedOf(request)
  if (!row && size > 0) throw new RbmError('INVALID_ARGUMENT', 'The request body must be a JSON object')
  return row ?? {}
}

export function queryOf(request: FastifyRequest): Record<string, string> {
  // A repeated parameter is a list, which no call accepts.
  return request.query as Record<string, string>
}

export function bearerOf({ headers }: FastifyRequest): string {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}

/** Throws unless the request has a valid token of Google's flow with this scope. */
export function authenticate({ tokens }: Rbm, request: FastifyRequest, scope: string) {
  const token = tokens.find(bearerOf(request))
  if (!token)
    throw new RbmError(
      'UNAUTHENTICATED',
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
    )
  if (!token.scopes.includes(scope))
    throw new RbmError('PERMISSION_DENIED', 'Request had insufficient authentication scopes.')
}
