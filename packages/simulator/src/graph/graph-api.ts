import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from './auth.ts'
import { runCall } from './calls.ts'
import { answered, type Call, type Graph } from './graph.ts'
import { GraphError, noSuchObject, presentError } from './graph-error.ts'
import type { Row } from './objects.ts'
import { openCalls } from './open-calls.ts'
import { isRow } from './reading.ts'
import { findUpload, readUpload, receiveBytes } from './uploads.ts'

const mostBytes = 101 * 1024 * 1024

type Posted = { row?: Row; bytes?: Buffer }

/** Meta's Graph API as far as WhatsApp needs it, under `/graph/{version}/`. */
export async function graphApi(app: FastifyInstance, { graph }: { graph: Graph }) {
  readBodies(app)
  app.setErrorHandler((error, _request, reply) => sendError(graph, reply, error))
  app.route<{ Params: { version: string; '*': string } }>({
    method: ['GET', 'POST', 'DELETE'],
    url: '/graph/:version/*',
    bodyLimit: mostBytes,
    handler: (request, reply) => takeCall(graph, request, reply),
  })
}

function readBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, {})
    try {
      const value: unknown = JSON.parse(String(body))
      done(null, isRow(value) ? { row: value } : {})
    } catch {
      done(new GraphError(100, { message: '(#100) The request body is not valid JSON' }))
    }
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, { row: Object.fromEntries(new URLSearchParams(String(body))) })
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, { bytes: body }))
}

async function takeCall(
  graph: Graph,
  request: FastifyRequest<{ Params: { version: string; '*': string } }>,
  reply: FastifyReply,
) {
  const versionText = request.params.version
  const [id = '', edge = '', ...rest] = request.params['*'].split('/')
  if (!/^v\d{2}\.\d$/.test(versionText)) throw noSuchObject(versionText, request.method)
  if (rest.length > 0)
    throw new GraphError(100, { message: `Unknown path components: /${rest.join('/')}`, subcode: 33 })

  // Fastify passes the result of the parsers above, or undefined.
  const { row, bytes } = (request.body ?? {}) as Posted
  const query = request.query as Record<string, string>
  // Graph accepts a parameter in the query as well as in the body.
  const body = row ?? query
  const open = openCalls[`${request.method} ${edge === '' ? id : `${id}/${edge}`}`]
  const asked = { graph, versionText, version: Number(versionText.slice(1)), query, body, bytes, request, reply }
  if (open) return sendAnswer(reply, await open(asked))
  if (id.startsWith('upload:')) return sendAnswer(reply, answerUpload(asked, id))
  const call: Call = { ...asked, token: authenticate(graph.meta, request, { ...query, ...row }) }
  return sendAnswer(reply, await runCall(call, { method: request.method, id, edge }))
}

/** An upload is a separate kind of object with its own authentication. */
function answerUpload(asked: Omit<Call, 'token'>, id: string) {
  authenticate(asked.graph.meta, asked.request, asked.query)
  const session = findUpload(asked.graph, id, asked.request.method)
  return asked.request.method === 'POST' ? receiveBytes(asked, session) : readUpload(asked, session)
}

function sendAnswer(reply: FastifyReply, answer: unknown) {
  return answer === answered ? reply : reply.header('facebook-api-version', 'v25.0').send(answer)
}

function sendError(graph: Graph, reply: FastifyReply, error: unknown) {
  const reported = error instanceof GraphError ? error : foreignError(error)
  const { status, body } = presentError(reported, graph.settings.throttleStatus)
  return reply.code(status).type('application/json').send(body)
}

/** A body that is too large, or an error of the simulator itself, which must not look like a rejection by Meta. */
function foreignError(error: unknown): GraphError {
  if (isRow(error) && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new GraphError(131053, 'The file is too large')
  return new GraphError(1, { message: `The simulator failed: ${String(error)}` })
}
