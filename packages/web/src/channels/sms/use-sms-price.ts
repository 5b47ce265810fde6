import type { SmsCategory } from '@carillon/contract/channels/sms/sms-templates'
import { useApi } from '../../lib/use-api.ts'

/** Price in rupees of one part to India; null if no price is set, undefined before it is known. */
export function useSmsPrice(category: SmsCategory): number | null | undefined {
  const { data } = useApi('rates.list', { query: { channel: 'sms' } }, { staleTime: 60_000 })
  if (!data) return undefined
  const priceOf = (kind: string, place: string) =>
    data.rates.find((rate) => rate.category === kind && rate.country === place)
  // Same precedence as on the server: category before country.
  const rate = priceOf(category, 'IN') ?? priceOf(category, '*') ?? priceOf('*', 'IN') ?? priceOf('*', '*')
  return rate?.price ?? null
}
