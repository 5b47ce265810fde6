import { useUser } from '../../lib/session.ts'
import { useApi } from '../../lib/use-api.ts'
import { BalancePanel } from './balance-panel.tsx'
import { RatesCard } from './rates-card.tsx'
import { SpendByChannel, TopCampaigns } from './spend-cards.tsx'
import { SpendChart } from './spend-chart.tsx'
import { WhatIf } from './what-if.tsx'

/** Balance with spend rate, spend breakdown, and a cost calculator. */
export function BillingOverview() {
  const overview = useApi('balance.overview', { query: { days: 30 } }, { refetchInterval: 60_000 })
  const rates = useApi('rates.list', { query: {} })
  // Customers' spend is in the margin: a reseller's own overview shows what it was charged.
  const sends = useUser()?.type !== 'reseller'
  return (
    <div className="grid items-start gap-4 py-4 pb-8 screen-x xl:grid-cols-[minmax(0,1fr)_352px]">
      <div className="flex min-w-0 flex-col gap-4">
        <BalancePanel overview={overview} />
        <SpendChart overview={overview} />
        {sends ? <TopCampaigns overview={overview} /> : null}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <WhatIf overview={overview} rates={rates} />
        <RatesCard rates={rates} />
        {sends ? <SpendByChannel overview={overview} /> : null}
      </div>
    </div>
  )
}
