import { truncate } from '@carillon/contract/text'
import { networkOf } from '../../lib/client-address.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'

type Client = { ip: string; userAgent: string }

const spanMs = 15 * 60_000
const mostOfNetwork = 20
/** Maximum number of networks tracked at once; further ones are not logged. */
const mostNetworks = 10_000
const longestAddress = 500

/** Logs suspicious URLs reported by browsers: at most twenty per network in fifteen minutes. */
export function createIncidentLog({ logger, clock }: { logger: Logger; clock: Clock }) {
  const reports = new Map<string, number>()
  let since = 0
  return (address: string, { ip, userAgent }: Client): void => {
    const now = clock.now().getTime()
    if (now - since > spanMs) {
      reports.clear()
      since = now
    }
    const network = networkOf(ip)
    const count = (reports.get(network) ?? 0) + 1
    if (count > mostOfNetwork || (count === 1 && reports.size >= mostNetworks)) return
    reports.set(network, count)
    logger.warn({ address: withoutSecrets(address), network, userAgent }, 'Suspicious address')
  }
}

/** Path and query parameter names. Values are dropped: they may be search texts, tokens or phone numbers. */
function withoutSecrets(address: string): string {
  const [path = '', query] = address.split(/[?#]/, 2)
  const names = (query ?? '').split('&').map((pair) => `${pair.split('=', 1)[0]}=…`)
  const bare = query === undefined ? path : `${path}?${names.join('&')}`
  return truncate(bare.replaceAll(/\d{6,}|[\da-f]{32,}/gi, '…'), longestAddress)
}
