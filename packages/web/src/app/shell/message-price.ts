import { defaultChannels } from '@carillon/contract/constants'
import { channels } from '../../channels/index.ts'
import { useApi } from '../../lib/use-api.ts'

const channel = defaultChannels.campaigns

/** What one message of the default channel to India costs the account now, in rupees, and the words for it. */
export function useMessagePrice() {
  const rates = useApi('rates.list', { query: { channel } })
  const domestic = rates.data?.rates.filter((rate) => rate.channel === channel && ['IN', '*'].includes(rate.country))
  // The price of every category first.
  const [first] = domestic?.toSorted((a, b) => rank(a) - rank(b)) ?? []
  const words = channels[channel].price
  return first && words ? { price: first.price, ...words } : undefined
}

function rank({ category, country }: { category: string; country: string }): number {
  return (country === 'IN' ? 0 : 2) + (category === '*' ? 0 : 1)
}
