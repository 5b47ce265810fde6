import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { FailoverCondition } from '@carillon/contract/draft-legs'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OutcomeText } from '../../../channels/channel-campaigns.ts'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { channels } from '../../../channels/index.ts'
import { MiniPhone } from '../../../channels/phone/mini-phone.tsx'
import type { PhoneMessage } from '../../../channels/phone/phone-message.ts'
import { countOf, formatMoney } from '../../../lib/format.ts'
import { DurationField } from './duration-field.tsx'
import { waitLimits, withWait } from './failover-labels.ts'

type Side = { channel: Channel; message: PhoneMessage }

type FailoverComparisonProps = {
  first: Side
  second: Side
  /** Label of the second channel. */
  next: string
  outcomes: readonly OutcomeText[]
  conditions: readonly FailoverCondition[]
  people: number | undefined
  /** In rupees; undefined until both are counted. */
  costs: { first: number; second: number } | undefined
  /** Whether the first message goes to everyone. */
  isForAll: boolean
  onConditions: (conditions: FailoverCondition[]) => void
}

/** Both messages of a recipient side by side, with the failover conditions between them. */
export function FailoverComparison(props: FailoverComparisonProps) {
  const { first, second, next, people, costs, isForAll } = props
  const { label } = channelTraits[first.channel]
  const all = people === undefined ? undefined : countOf(people, 'person', 'people')
  return (
    <figure
      aria-label={`The ${label} message, and the ${next} that takes over`}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center rounded-lg bg-sunken p-5 max-md:grid-cols-2 max-md:justify-items-center max-md:gap-y-4 max-md:p-4"
    >
      <Branch
        mark={<ChannelMark channel={first.channel} />}
        caption={isForAll ? (all === undefined ? 'Everyone first' : `${all} first`) : 'Before'}
        cost={costs && (isForAll ? formatMoney(costs.first) : `up to ${formatMoney(costs.first)}`)}
      >
        <MiniPhone scale={0.44} message={first.message} />
      </Branch>
      <Thread {...props} />
      <Branch
        mark={<ChannelMark channel={second.channel} />}
        caption={all === undefined ? `People ${label} did not reach` : `at most ${all}`}
        cost={costs && `up to ${formatMoney(costs.second)}`}
      >
        <MiniPhone scale={0.44} message={second.message} />
      </Branch>
    </figure>
  )
}

type BranchProps = { mark: ReactNode; caption: string; cost: string | undefined; children: ReactNode }

function Branch({ mark, caption, cost, children }: BranchProps) {
  return (
    <div className="flex flex-col items-center gap-2.5">
      {children}
      <div className="flex flex-col items-center text-dense">
        <span className="font-medium">{mark}</span>
        <span className="text-muted-foreground tabular-nums">{caption}</span>
        <span className="font-medium tabular-nums">{cost ?? ' '}</span>
      </div>
    </div>
  )
}

/** The conditions between the two phones, with editable times. */
function Thread(props: FailoverComparisonProps) {
  const { first, second, conditions } = props
  const [from, to] = [channels[first.channel].mark.color, channels[second.channel].mark.color]
  return (
    <div className="relative flex flex-col items-center gap-2 self-center pb-15 max-md:order-3 max-md:col-span-2 max-md:w-full max-md:pb-0">
      <span className="text-caption text-muted-foreground">falls back when</span>
      <ul className="relative flex w-full flex-col items-center gap-1.5">
        {conditions.length === 0 ? (
          <li className="text-dense text-warning-text">Choose a condition</li>
        ) : (
          conditions.map((condition) => (
            <li
              key={condition.type}
              className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1 rounded-md border border-border bg-card px-2 py-1 text-dense"
            >
              <Condition {...props} condition={condition} />
            </li>
          ))
        )}
      </ul>
      <span aria-hidden className="flex w-full items-center px-3 max-md:hidden">
        <span className="size-2 rounded-full" style={{ background: from }} />
        <span className="h-0.5 flex-1" style={{ background: `linear-gradient(to right in oklab, ${from}, ${to})` }} />
        <ArrowRight className="-ml-1.5 size-4" style={{ color: to }} />
      </span>
    </div>
  )
}

type ConditionProps = FailoverComparisonProps & { condition: FailoverCondition }

function Condition({ condition, next, outcomes, conditions, onConditions }: ConditionProps) {
  const { type, afterSeconds } = condition
  const short = outcomes.find((one) => one.type === type)?.short ?? type
  if (afterSeconds === undefined) return <span className="truncate">{short}</span>
  return (
    <>
      <span className="truncate">{short} after</span>
      <DurationField
        label={`Time until ${next} takes over when ${short}`}
        seconds={afterSeconds}
        {...waitLimits}
        onSeconds={(seconds) => onConditions(withWait(conditions, { type, seconds }))}
      />
    </>
  )
}
