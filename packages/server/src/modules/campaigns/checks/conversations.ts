import type { Channel } from '@carillon/contract/channels'
import { advice, type Check } from '../../../channels/channel.ts'
import type { Db } from '../../../db/pool.ts'
import { findRate, formatPrice } from '../../balance/index.ts'
import type { PricedLeg } from '../planning/priced-campaign.ts'

type Conversational = { id: string; name: string; channel: Channel; category: string }

/** What replies may add: they are charged beside the campaign, so no figure of its cost includes them. */
export async function checkConversations(
  db: Db,
  { organizationId, legs }: { organizationId: string; legs: readonly PricedLeg[] },
): Promise<Check[]> {
  const checks: Check[] = []
  for (const sender of await findConversational(db, organizationId, legs)) {
    const countries = legs
      .filter(({ loaded }) => loaded.sender.id === sender.id)
      .flatMap(({ count }) => count.countries.map(({ country }) => country))
    const prices = await pricesOf(db, { organizationId, sender, countries })
    if (prices.length === 0) continue
    checks.push(
      advice(
        'conversations',
        `Replies to ${sender.name} may add ${formatRange(prices)} per person and 24 hours`,
        'Charged when people reply, in addition to the cost of the campaign and to its maximum.',
      ),
    )
  }
  return checks
}

async function findConversational(
  db: Db,
  organizationId: string,
  legs: readonly PricedLeg[],
): Promise<Conversational[]> {
  const rows = await db
    .selectFrom('senders')
    .select(['id', 'name', 'channel', 'conversation_category as category'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...new Set(legs.map(({ loaded }) => loaded.sender.id))])
    .where('conversation_category', 'is not', null)
    .orderBy('name')
    .execute()
  return rows.flatMap(({ category, ...row }) => (category === null ? [] : [{ ...row, category }]))
}

type Priced = { organizationId: string; sender: Conversational; countries: readonly string[] }

/** Different prices in ascending order, in ledger units; those of nothing are left out. */
async function pricesOf(db: Db, { organizationId, sender, countries }: Priced): Promise<number[]> {
  const prices = new Set<number>()
  const { channel, category } = sender
  for (const country of new Set(countries)) {
    const rate = await findRate(db, { organizationId, channel, category, country })
    if (rate && rate.price > 0) prices.add(rate.price)
  }
  return [...prices].sort((one, other) => one - other)
}

function formatRange(prices: readonly number[]): string {
  const [least = 0, most = 0] = [prices[0], prices.at(-1)]
  return least === most ? formatPrice(least) : `${formatPrice(least)} to ${formatPrice(most)}`
}
