import type { FastifyInstance } from 'fastify'
import { agentCalls } from './management-agents.ts'
import { type ManagementCall, notFound } from './management-call.ts'
import { brandCalls } from './management-brands.ts'
import { authenticate, bodyOf, queryOf, speakGoogle } from './http.ts'
import type { Rbm } from './rbm.ts'
import { managementScope } from './tokens.ts'

const calls = [...brandCalls, ...agentCalls]

/** Google's Business Communications API, which manages brands and agents, under `/rbm/management/v1`. */
export async function managementApi(app: FastifyInstance, { rbm }: { rbm: Rbm }) {
  speakGoogle(app)
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'POST', 'PATCH', 'DELETE'],
    url: '/rbm/management/v1/*',
    handler: async (request) => {
      authenticate(rbm, request, managementScope)
      const call: ManagementCall = { rbm, query: queryOf(request), body: bodyOf(request) }
      for (const { method, path, answer } of calls) {
        const found = method === request.method ? path.exec(request.params['*']) : null
        if (found) return answer(call, found.slice(1).map(String))
      }
      throw notFound('The requested method does not exist')
    },
  })
}
