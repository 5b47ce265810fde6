import type { FailoverCondition } from '@carillon/contract/draft-legs'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { countOf, formatMoney } from '../../../../lib/format.ts'
import { ChannelMark } from '../../../../ui/channel-mark.tsx'
import { MiniPhone } from '../../../../channels/phone/mini-phone.tsx'
import type { SmsMessage } from '../../../../channels/sms/phone/sms-screen.tsx'
import type { WhatsappMessage } from '../../../../channels/whatsapp/phone/whatsapp-message.ts'
import type { BranchCosts } from './branch-costs.ts'
import { MinutesField } from './failover-conditions.tsx'
import { conditionLabels, withMinutes } from './failover-labels.ts'

type FailoverComparisonProps = {
  whatsapp: WhatsappMessage
  sms: SmsMessage
  conditions: readonly FailoverCondition[]
  people: number | undefined
  /** In rupees; undefined until both are counted. */
  costs: Pick<BranchCosts, 'least' | 'more'> | undefined
  onConditions: (conditions: FailoverCondition[]) => void
}

/** Both messages of a recipient side by side, with the failover conditions between them. */
export function FailoverComparison({
  whatsapp,
  sms,
  conditions,
  people,
  costs,
  onConditions,
}: FailoverComparisonProps) {
  return (
    <figure
      aria-label="The WhatsApp message, and the SMS that takes over"
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center rounded-lg bg-sunken p-5 max-md:grid-cols-2 max-md:justify-items-center max-md:gap-y-4 max-md:p-4"
    >
      <Branch
        mark={<ChannelMark channel="whatsapp" />}
        caption={people === undefined ? 'Everyone first' : `${countOf(people, 'person', 'people')} first`}
        cost={costs && formatMoney(costs.least)}
      >
        <MiniPhone scale={0.44} message={whatsapp} />
      </Branch>
      <Thread conditions={conditions} onConditions={onConditions} />
      <Branch
        mark={<ChannelMark channel="sms" />}
        caption={
          people === undefined ? 'People WhatsApp did not reach' : `at most ${countOf(people, 'person', 'people')}`
        }
        cost={costs && `up to ${formatMoney(costs.more)}`}
      >
        <MiniPhone scale={0.44} message={sms} />
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

type ThreadProps = Pick<FailoverComparisonProps, 'conditions' | 'onConditions'>

/** The conditions between the two phones, with editable times. */
function Thread({ conditions, onConditions }: ThreadProps) {
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
              className="flex max-w-full items-center gap-2 rounded-md border border-border bg-card px-2 py-1 text-dense"
            >
              <Condition condition={condition} conditions={conditions} onConditions={onConditions} />
            </li>
          ))
        )}
      </ul>
      <span aria-hidden className="flex w-full items-center px-3 max-md:hidden">
        <span className="size-2 rounded-full bg-whatsapp" />
        <span className="h-0.5 flex-1 bg-linear-to-r from-whatsapp to-sms" />
        <ArrowRight className="-ml-1.5 size-4 text-sms" />
      </span>
    </div>
  )
}

function Condition({ condition, conditions, onConditions }: ThreadProps & { condition: FailoverCondition }) {
  const { type, afterSeconds } = condition
  const words = conditionLabels.find((one) => one.type === type)
  if (afterSeconds === undefined) return <span className="truncate">{words?.short ?? type}</span>
  return (
    <>
      <span className="truncate">{words?.short} after</span>
      <MinutesField
        label={`Minutes until SMS takes over when ${words?.short ?? type}`}
        seconds={afterSeconds}
        onMinutes={(minutes) => onConditions(withMinutes(conditions, { type, minutes }))}
      />
    </>
  )
}
