import type { FastifyInstance, FastifyReply } from 'fastify'
import type { GraphControl } from './control.ts'
import { GraphError } from './graph-error.ts'
import type { Row } from './objects.ts'
import { isRow } from './reading.ts'

/** A 5 MB image in base64, plus the surrounding JSON. */
const mostPicture = 8 * 1024 * 1024

type ControlAction = (row: Row, params: Record<string, string>) => unknown

/** Control API of the simulated Meta. It has no authentication: bind it to loopback. */
export async function graphControlApi(app: FastifyInstance, { control }: { control: GraphControl }) {
  app.setErrorHandler((error, _request, reply) => refuse(reply, error))
  for (const [route, action] of Object.entries(routes(control))) {
    const [method = 'GET', url = ''] = route.split(' ')
    app.route<{ Params: Record<string, string> }>({
      method,
      url: `/api/graph${url}`,
      bodyLimit: mostPicture,
      handler: async ({ params, body, query }) => {
        const given = method === 'GET' ? query : body
        return (await action(isRow(given) ? given : {}, params)) ?? { done: true }
      },
    })
  }
  app.get<{ Params: { id: string } }>('/api/graph/media/:id', async ({ params }, reply) =>
    showFile(reply, control.findMedia(params.id)),
  )
  app.get<{ Params: { handle: string } }>('/api/graph/files/:handle', async ({ params }, reply) =>
    showFile(reply, control.findFile(params.handle)),
  )
}

/** Uploads are displayed, never executed. */
function showFile(reply: FastifyReply, file: { mimeType: string; bytes: Buffer } | undefined) {
  if (!file) return reply.code(404).send({ error: 'There is no such file' })
  return reply
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .type(file.mimeType)
    .send(file.bytes)
}

function routes(control: GraphControl): Record<string, ControlAction> {
  return {
    'GET ': () => control.overview(),
    'GET /settings': () => control.settings(),
    'POST /reset': () => control.restart(),
    'POST /settings': (row) => control.set(row),
    'POST /webhook': (row) => control.setWebhook(row),
    'GET /messages': (row) => control.listMessages({ since: Number(row.since ?? 0), limit: Number(row.limit ?? 1000) }),
    'POST /apps': (row) => control.putApp(row),
    'POST /tokens': (row) => control.putToken(row),
    'POST /tokens/revoke': (row) => control.revokeToken(row),
    'POST /signups': (row) => control.signUp(row),
    'GET /numbers/:id': (_row, { id = '' }) => control.changeNumber(id, {}),
    'POST /numbers/:id': (row, { id = '' }) => control.changeNumber(id, row),
    'POST /wabas/:id': (row, { id = '' }) => control.changeWaba(id, row),
    'POST /updates': (row) => control.sendUpdate(row),
    'GET /templates': () => ({ templates: control.listTemplates() }),
    'POST /templates': (row) => control.putTemplate(row),
    'POST /templates/:id': (row, { id = '' }) => control.changeTemplate(id, row),
    'GET /people/:number': (_row, { number = '' }) => control.showPerson(number),
    'POST /people/:number': (row, { number = '' }) => control.describePerson(number, row),
    'POST /people/:number/messages': (row, { number = '' }) => control.write(number, row),
    'POST /people/:number/tap': (row, { number = '' }) => control.tap(number, row),
    'POST /people/:number/read': (row, { number = '' }) => control.read(number, row),
    'POST /people/:number/react': (row, { number = '' }) => control.react(number, row),
    'POST /people/:number/block': (row, { number = '' }) => control.block(number, row),
    'POST /people/:number/window': (row, { number = '' }) => control.setWindow(number, row),
    'POST /people/:number/preference': (row, { number = '' }) => control.prefer(number, row),
  }
}

function refuse(reply: FastifyReply, error: unknown) {
  if (error instanceof GraphError)
    return reply.code(400).send({ error: error.about.details ?? error.about.message ?? error.message })
  if (error instanceof RangeError) return reply.code(400).send({ error: error.message })
  return reply.code(500).send({ error: String(error) })
}
