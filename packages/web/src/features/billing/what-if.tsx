import { useState } from 'react'
import { formatCount, formatMoney, formatUnitPrice } from '../../lib/format.ts'
import { askForTopUp } from '../../lib/top-up.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/select.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import { isConversationRate } from '../../ui/rate-name.ts'
import { Slider } from '../../ui/slider.tsx'
import type { OverviewRead, RatesRead } from './reads.ts'
import { channelLabel } from '../../channels/channel-mark.tsx'

/** Steps of the slider: finer for common sizes, coarser towards a million. */
const counts = [100, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 200_000, 500_000, 1_000_000] as const

type WhatIfProps = { overview: OverviewRead; rates: RatesRead }

/** Cost of a number of messages, and the remaining balance. */
export function WhatIf(props: WhatIfProps) {
  if (!props.rates.isPending && !props.overview.isPending) return <Calculator {...props} />
  return (
    <Card title="If I send">
      <Loading label="Loading prices">
        <SkeletonLines count={5} />
      </Loading>
    </Card>
  )
}

function Calculator({ overview, rates }: WhatIfProps) {
  const [step, setStep] = useState(5)
  const prices =
    rates.data?.rates.filter((rate) => !isConversationRate(rate) && (rate.country === 'IN' || rate.country === '*')) ??
    []
  const [chosen, choose] = useState(0)
  const rate = prices[chosen] ?? prices[0]
  const balance = overview.data?.balance
  if (!rate || balance === undefined) return null

  const count = counts[step] ?? 0
  const cost = count * rate.price
  const left = balance - cost
  return (
    <Card
      title="If I send"
      actions={
        prices.length > 1 ? (
          <Select
            aria-label="Kind of message"
            size="tool"
            className="w-40"
            value={String(prices.indexOf(rate))}
            options={prices.map(({ channel, category, country }, index) => ({
              value: String(index),
              label: `${channelLabel(channel)}${category === '*' ? '' : ` ${category}`}${country === '*' ? ', abroad' : ''}`,
            }))}
            onValueChange={(value) => choose(Number(value))}
          />
        ) : undefined
      }
    >
      <div className="flex flex-col gap-3 px-4 pb-4">
        <p className="tabular-nums">
          <b className="text-title font-semibold">{formatCount(count)}</b>{' '}
          <span className="text-muted-foreground">
            {channelLabel(rate.channel)} messages of one part at {formatUnitPrice(rate.price)}
          </span>
        </p>
        <Slider
          label="Messages"
          value={step}
          minimum={0}
          maximum={counts.length - 1}
          valueText={`${formatCount(count)} messages`}
          onValueChange={setStep}
        />
        <dl className="grid grid-cols-[1fr_auto] gap-y-1 tabular-nums [&_dd]:text-right [&_dt]:text-muted-foreground">
          <dt>Cost</dt>
          <dd className="font-medium">{formatMoney(cost)}</dd>
          <dt>{left < 0 ? 'Short by' : 'Balance after'}</dt>
          <dd className={left < 0 ? 'font-medium text-danger-text' : 'font-medium'}>{formatMoney(Math.abs(left))}</dd>
        </dl>
        {left < 0 ? (
          <Button size="sm" onClick={() => askForTopUp({ amount: -left })}>
            Request {formatMoney(Math.ceil(-left))}
          </Button>
        ) : null}
      </div>
    </Card>
  )
}
