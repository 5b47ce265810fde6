import { defaultChannels } from '@carillon/contract/constants'
import { channels } from '../../channels/index.ts'
import { useApi } from '../../lib/use-api.ts'

const channel = defaultChannels.campaigns

/** Current price in rupees of one message to India on the default channel, and the nouns for it. */
export function useMessagePrice() {
  const rates = useApi('rates.list', { query: { channel } })
  const domestic = rates.data?.rates.filter((rate) => rate.channel === channel && ['IN', '*'].includes(rate.country))
  // The default price of all categories.
  const [first] = domestic?.toSorted((a, b) => rank(a) - rank(b)) ?? []
  const words = channels[channel].price
  return first && words ? { price: first.price, ...words } : undefined
}

function rank({ category, country }: { category: string; country: string }): number {
  return (country === 'IN' ? 0 : 2) + (category === '*' ? 0 : 1)
}
