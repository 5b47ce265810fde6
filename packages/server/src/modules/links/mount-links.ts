import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../lib/clock.ts'
import type { ClickLog } from './click-log.ts'
import type { LinkKeys } from './link-keys.ts'
import type { FindTarget } from './targets.ts'
import { deviceOf, isFetcher } from './user-agents.ts'

export type RedirectDeps = {
  keys: Pick<LinkKeys, 'read'>
  findTarget: FindTarget
  clicks: Pick<ClickLog, 'note'>
  clock: Clock
}

/**
 * Tracked links. A code that is unknown, forged or of another host name has the same answer. Recipients of a carrier share its address,
 * so requests of one address are not limited.
 */
export async function mountLinks(app: FastifyInstance, { keys, findTarget, clicks, clock }: RedirectDeps) {
  const handler = async (request: FastifyRequest<{ Params: { code: string } }>, reply: FastifyReply) => {
    const code = keys.read(request.params.code)
    const target = code && (await findTarget(code.number))
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    if (!code || !target || target.host !== request.hostname.toLowerCase())
      return reply.status(404).type('text/plain; charset=utf-8').send('Not found\n')
    const { headers, method } = request
    const isPreview = method === 'HEAD' || isFetcher(headers)
    clicks.note({ ...code, at: clock.now(), isPreview, device: deviceOf(headers) })
    return reply.status(302).header('location', target.url).send()
  }
  app.route({ method: ['GET', 'HEAD'], url: '/l/:code', config: { policy: 'link', rateLimit: false }, handler })
}
