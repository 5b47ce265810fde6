import { request } from 'undici'
import type { Graph } from './graph.ts'
import { GraphError } from './graph-error.ts'
import type { PhoneNumber, Waba } from './objects.ts'
import type { PhoneContent } from './phone-content.ts'

const refusalByStatus: Record<string, number> = {
  BANNED: 131031,
  RESTRICTED: 131031,
  DISABLED: 131031,
  DELETED: 133010,
  MAINTENANCE: 131057,
  RATE_LIMITED: 131048,
}

/** Locked numbers and accounts cannot send. */
export function requireActiveAccount(number: PhoneNumber, waba: Waba | undefined) {
  if (!number.isRegistered) throw new GraphError(133010)
  const code = refusalByStatus[number.status] ?? refusalByStatus[waba?.status ?? '']
  if (code !== undefined) throw new GraphError(code)
}

const rememberedMs = 10 * 60_000
const foundByGraph = new WeakMap<Graph, Map<string, { isThere: boolean; atMs: number }>>()

/** Fetches linked media and caches the result for ten minutes. Disabled by default. */
export async function areLinksReachable(graph: Graph, { media, header, cards }: PhoneContent): Promise<boolean> {
  const headers = [header, ...(cards ?? []).map((card) => card.header)]
  const shown = [media, ...headers.map((each) => (each?.kind === 'media' ? each.media : undefined))]
  const links = shown.flatMap((each) => each?.link ?? [])
  const answers = await Promise.all(links.map((link) => isLinkThere(graph, link)))
  return answers.every(Boolean)
}

async function isLinkThere(graph: Graph, link: string): Promise<boolean> {
  const found = foundByGraph.get(graph) ?? new Map<string, { isThere: boolean; atMs: number }>()
  foundByGraph.set(graph, found)
  const known = found.get(link)
  if (known && known.atMs > Date.now() - rememberedMs) return known.isThere
  const isThere = await fetchLink(link)
  found.set(link, { isThere, atMs: Date.now() })
  return isThere
}

async function fetchLink(link: string): Promise<boolean> {
  try {
    const answer = await request(link, { headersTimeout: 10_000, bodyTimeout: 10_000 })
    await answer.body.dump()
    return answer.statusCode === 200
  } catch {
    // Rejected, unknown or timed out: the media is not available.
    return false
  }
}
