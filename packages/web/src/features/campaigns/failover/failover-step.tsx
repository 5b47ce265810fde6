import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { Split } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { loadCode } from '../../../lib/load-code.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { WizardReach } from '../wizard/wizard-reach.tsx'
import type { Failover, FailoverLeg } from '../wizard/use-legs.ts'
import type { WizardState } from '../wizard/use-wizard.ts'

const FailoverSettings = lazy(async () => ({
  default: (await loadCode(() => import('./failover-settings.tsx'))).FailoverSettings,
}))

type FailoverStepProps = {
  wizard: WizardState
  failover: Failover
  onStep: (step: WizardStep) => void
  onFocus: (variable: string | undefined) => void
}

/** Failover to other channels in order: each on or off, with its conditions and template. */
export function FailoverStep({ wizard, failover, ...rest }: FailoverStepProps) {
  const { legs, offers, add } = failover
  const isOff = legs.every(({ chosen }) => !chosen.isEnabled)
  return (
    <div className="flex flex-col gap-6">
      <WizardReach wizard={wizard} />
      {legs.map((leg, index) => (
        <LaterLeg key={leg.channel} wizard={wizard} failover={leg} isFirst={index === 0} {...rest} />
      ))}
      {offers.length > 0 ? <Offer key={legs.length} channels={offers} isFirst={legs.length === 0} onAdd={add} /> : null}
      {isOff ? (
        <Empty icon={Split} title={`${channelTraits[wizard.channels.first.channel].label} only`}>
          Undelivered messages count as failed and cost nothing.
        </Empty>
      ) : null}
    </div>
  )
}

type LaterLegProps = Omit<FailoverStepProps, 'failover'> & { failover: FailoverLeg; isFirst: boolean }

function LaterLeg({ isFirst, ...props }: LaterLegProps) {
  const { channel, chosen, choices, switchTo, setChannel } = props.failover
  return (
    <>
      <Head
        channel={channel}
        choices={choices}
        isFirst={isFirst}
        isOn={chosen.isEnabled}
        onChannel={setChannel}
        onSwitch={switchTo}
      />
      {chosen.isEnabled ? (
        <Suspense
          fallback={
            <Loading>
              <SkeletonLines count={8} />
            </Loading>
          }
        >
          <FailoverSettings {...props} />
        </Suspense>
      ) : null}
    </>
  )
}

type OfferProps = { channels: readonly Channel[]; isFirst: boolean; onAdd: (channel: Channel) => void }

/** A leg that can be added. */
function Offer({ channels, isFirst, onAdd }: OfferProps) {
  const [chosen, setChosen] = useState<Channel>()
  const channel = chosen ?? channels[0]
  if (!channel) return null
  return (
    <Head
      channel={channel}
      choices={channels}
      isFirst={isFirst}
      isOn={false}
      onChannel={setChosen}
      onSwitch={() => onAdd(channel)}
    />
  )
}

type HeadProps = {
  channel: Channel
  choices: readonly Channel[]
  isFirst: boolean
  isOn: boolean
  onChannel: (channel: Channel) => void
  onSwitch: (isOn: boolean) => void
}

/** The channel of a leg, and its switch. */
function Head({ channel, choices, isFirst, isOn, onChannel, onSwitch }: HeadProps) {
  const { label } = channelTraits[channel]
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 border-y border-border py-3">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <h2 className="text-section font-semibold">{isFirst ? `${label} fallback` : `Then ${label} fallback`}</h2>
        <p className="text-dense text-muted-foreground">
          {isFirst
            ? 'Each person counts once in the report, even when both messages were sent.'
            : 'For people the previous fallback does not reach either.'}
        </p>
      </div>
      {choices.length > 1 ? (
        <Segmented
          label={isFirst ? 'Fallback channel' : 'Next fallback channel'}
          value={channel}
          onValueChange={onChannel}
          options={choices.toSorted().map((value) => ({ value, label: channelTraits[value].label }))}
        />
      ) : null}
      <div className="pt-1 max-sm:ml-auto">
        <Switch label={`Fall back to ${label}`} checked={isOn} onCheckedChange={onSwitch} />
      </div>
    </div>
  )
}
