import type { WhatsappCategory } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { useApi } from '../../lib/use-api.ts'

/** Price in rupees of one delivered message to India; null if no price is set, undefined before it is known. */
export function useWhatsappPrice(category: WhatsappCategory): number | null | undefined {
  const { data } = useApi('rates.list', { query: { channel: 'whatsapp' } }, { staleTime: 60_000 })
  if (!data) return undefined
  const kind = category.toLowerCase()
  const priceOf = (wanted: string, place: string) =>
    data.rates.find((rate) => rate.category.toLowerCase() === wanted && rate.country === place)
  const rate = priceOf(kind, 'IN') ?? priceOf(kind, '*') ?? priceOf('*', 'IN') ?? priceOf('*', '*')
  return rate?.price ?? null
}
