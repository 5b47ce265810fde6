import { Split } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { DurationField } from '../failover/duration-field.tsx'
import { durationLabel } from '../failover/duration.ts'
import { LegConditions } from '../failover/failover-settings.tsx'
import { SendWindowField } from '../wizard/send-window-field.tsx'
import type { WizardLeg } from '../wizard/use-legs.ts'
import type { WizardState } from '../wizard/use-wizard.ts'

type ConditionsStepProps = { wizard: WizardState; onStep: (step: WizardStep) => void }

/** When each message is sent, and how long its delivery is tried. */
export function ConditionsStep({ wizard, onStep }: ConditionsStepProps) {
  const { legs, failover, handle } = wizard
  const [first] = legs
  const later = failover?.legs ?? []
  if (!first) return null
  const { timezone } = handle.draft.schedule
  return (
    <div className="flex flex-col gap-8">
      <LegSection leg={first} title="to everyone first">
        <TtlField leg={first} />
        <SendWindowField
          label={`Send ${channelLabel(first.channel)} only between`}
          otherwise="In the hours of the campaign."
          window={first.chosen.sendWindow}
          timezone={timezone}
          onWindow={(sendWindow) => first.change({ sendWindow })}
          isFirst
        />
      </LegSection>
      {later.map((leg) => (
        <LegSection key={leg.channel} leg={leg} title={`after ${channelLabel(leg.before)}`}>
          <LegConditions wizard={wizard} failover={leg} />
          <TtlField leg={leg} />
        </LegSection>
      ))}
      {later.length === 0 ? (
        <Empty
          icon={Split}
          title={`${channelLabel(first.channel)} only`}
          actions={
            <Button variant="primary" onClick={() => onStep('channels')}>
              Add a channel
            </Button>
          }
        >
          Conditions decide who gets the second message.
        </Empty>
      ) : null}
    </div>
  )
}

type LegSectionProps = { leg: WizardLeg; title: string; children: ReactNode }

function LegSection({ leg, title, children }: LegSectionProps) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-5">
      <h2
        id={titleId}
        className="flex min-h-9 items-center gap-3 border-b border-border pb-2 text-section font-semibold"
      >
        <ChannelMark channel={leg.channel} large />
        <span className="text-dense font-normal text-muted-foreground">{title}</span>
      </h2>
      {children}
    </section>
  )
}

const ttlLimits = { shortest: 60, longest: 172_800 }
const usualTtl = 3600

/** How long the provider tries to deliver, where the channel accepts a limit. */
function TtlField({ leg: { channel, chosen, editor, change } }: { leg: WizardLeg }) {
  if (!editor.acceptsTtl) return null
  const { ttlSeconds } = chosen
  const label = channelLabel(channel)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1">
        <Checkbox
          label={`Limit how long ${label} is tried`}
          help={
            ttlSeconds === undefined
              ? 'Delivery is tried until the campaign expires.'
              : `A message that is not delivered within ${durationLabel(ttlSeconds)} fails.`
          }
          checked={ttlSeconds !== undefined}
          onChange={({ target }) => change({ ttlSeconds: target.checked ? usualTtl : undefined })}
        />
      </div>
      {ttlSeconds === undefined ? null : (
        <DurationField
          label={`Time ${label} is tried`}
          seconds={ttlSeconds}
          {...ttlLimits}
          onSeconds={(seconds) => change({ ttlSeconds: seconds })}
        />
      )}
    </div>
  )
}
