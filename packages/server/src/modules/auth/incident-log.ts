import { truncate } from '@carillon/contract/text'
import { networkOf } from '../../lib/client-address.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'

type Client = { ip: string; userAgent: string }

const spanMs = 15 * 60_000
const mostOfNetwork = 20
/** More networks at once are a flood, which is told by its first. */
const mostNetworks = 10_000
const longestAddress = 500

/** Logs what sent a browser away; who reports too much is not heard for the rest of a quarter of an hour. */
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

/** What may stand in an address of ours and in no log: the tokens of links, the keys of visits, and numbers of people. */
function withoutSecrets(address: string): string {
  const bare = address.replaceAll(/([?&#](?:t|k|token)=)[^&#]*/gi, '$1…').replaceAll(/\d{6,}|[\da-f]{32,}/gi, '…')
  return truncate(bare, longestAddress)
}
