import type { Campaign } from '@carillon/contract/campaign-records'
import { channelTraits } from '@carillon/contract/channels/table'

/** The labels of a campaign's channel and of its failover channel. */
export function failoverLabels({ channel }: Pick<Campaign, 'channel'>): { first: string; next: string } {
  const { label, failoverTo } = channelTraits[channel]
  const [next] = failoverTo
  return { first: label, next: next ? channelTraits[next].label : label }
}
