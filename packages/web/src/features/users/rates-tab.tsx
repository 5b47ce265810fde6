import type { EffectiveRate } from '@carillon/contract/balance'
import type { ManagedUser } from '@carillon/contract/users'
import { formatDate, formatUnitPrice } from '../../lib/format.ts'
import { mayCall } from '../../lib/call.ts'
import { useApi } from '../../lib/use-api.ts'
import { settingsLink } from '../../lib/links.ts'
import { writeView } from '../../lib/url-state.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { isConversationRate, rateName, rateUnit } from '../../ui/rate-name.ts'
import { Region } from '../../ui/region.tsx'

/** Current prices of an account, from the rate card that applies. */
export function RatesTab({ user }: { user: ManagedUser }) {
  const rates = useApi('rates.list', { query: { userId: user._id } })
  return (
    <Region read={rates} label="the prices" lines={4}>
      {({ rates: prices }) => (
        <div className="flex flex-col gap-4 px-5 py-4">
          {prices.length === 0 ? <p className="text-muted-foreground">Rate not set</p> : null}
          <dl className="divide-y divide-line">
            {prices.map(({ channel, category, country, price, billableOn, asOf }) => (
              <div key={`${channel} ${category} ${country}`} className="flex min-h-11 items-center gap-3 py-1.5">
                <dt className="min-w-0 flex-1">
                  <span className="block">{rateName({ channel, category, country })}</span>
                  <span className="block text-caption text-muted-foreground">
                    {chargedWhen({ channel, category, billableOn })}since {formatDate(asOf)}
                  </span>
                </dt>
                <dd className="tabular-nums">{formatUnitPrice(price)}</dd>
              </div>
            ))}
          </dl>
          {mayCall('rateCards.create') ? (
            <Button size="sm" className="self-start" asChild>
              <AreaLink to="settings" search={writeView(settingsLink, { tab: 'rates' })}>
                Change prices
              </AreaLink>
            </Button>
          ) : null}
        </div>
      )}
    </Region>
  )
}

function chargedWhen(rate: Pick<EffectiveRate, 'channel' | 'category' | 'billableOn'>): string {
  if (isConversationRate(rate)) return `${rateUnit(rate)}, `
  return rate.billableOn === 'delivered' ? 'when delivered, ' : ''
}
