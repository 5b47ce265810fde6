import type { WhatsappAnalytics } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'

export function totalsOf({ points, prices }: WhatsappAnalytics) {
  return {
    sent: points.reduce((sum, point) => sum + point.sent, 0),
    delivered: points.reduce((sum, point) => sum + point.delivered, 0),
    charged: prices.reduce((sum, price) => sum + (price.cost > 0 ? price.volume : 0), 0),
    cost: prices.reduce((sum, price) => sum + price.cost, 0),
  }
}

/** Totals by category, with labels; zeros are omitted. */
export function countByCategory(prices: WhatsappAnalytics['prices'], of: 'volume' | 'cost') {
  const sums = new Map<string, number>()
  for (const price of prices) sums.set(price.category, (sums.get(price.category) ?? 0) + price[of])
  return [...sums]
    .filter(([, value]) => value > 0)
    .map(([category, value]) => ({ category: formatReason(category), value }))
}

function formatReason(category: string): string {
  const words = category.replaceAll('_', ' ').toLowerCase()
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** In the currency of the account at Meta, which may differ from the rupee. */
export function formatCost(amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return amount.toFixed(2)
  return new Intl.NumberFormat('en-IN', { style: 'currency', currency }).format(amount)
}

const dayMs = 86_400_000

type Points = WhatsappAnalytics['points']

/** Every day of the range (Meta lists only those with messages), in the account's time zone. */
export function everyDay(points: Points, { from, to }: { from: string; to: string }): Points {
  const [first] = points
  if (!first) return []
  const anchor = Date.parse(first.at)
  const dayOf = (at: number) => Math.round((at - anchor) / dayMs)
  const known = new Map(points.map((point) => [dayOf(Date.parse(point.at)), point]))
  const begin = Math.min(...known.keys(), Math.ceil((Date.parse(from) - anchor) / dayMs))
  const end = Math.max(...known.keys(), Math.floor((Date.parse(to) - anchor) / dayMs))
  return Array.from({ length: end - begin + 1 }, (_, index) => {
    const day = begin + index
    return known.get(day) ?? { at: new Date(anchor + day * dayMs).toISOString(), sent: 0, delivered: 0 }
  })
}

/** This many days up to today, as calendar days. */
export function daysBack(today: Date, days: number): { from: string; to: string } {
  const first = new Date(today.getTime() - (days - 1) * dayMs)
  return { from: first.toISOString().slice(0, 10), to: today.toISOString().slice(0, 10) }
}
