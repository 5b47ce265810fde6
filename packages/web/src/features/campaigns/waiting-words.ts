import type { CampaignDetail } from '@carillon/contract/campaigns'
import { formatCount, formatDay } from '../../lib/format.ts'

/** '120 wait: WhatsApp limits how many offers a person gets; they are tried again on 22 Nov.' */
export function waitingWords({ people, from, until }: NonNullable<CampaignDetail['waiting']>): string {
  const first = formatDay(from)
  const last = formatDay(until)
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`
  const who = people === 1 ? '1 waits' : `${formatCount(people)} wait`
  const again = people === 1 ? 'the message is tried again' : 'they are tried again'
  return `${who}: WhatsApp limits how many offers a person gets; ${again} ${when}.`
}
