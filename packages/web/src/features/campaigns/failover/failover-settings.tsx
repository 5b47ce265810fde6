import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { peopleToSend } from '../dialogs/recipients-to-send.ts'
import { NothingToFill } from '../wizard/nothing-to-fill.tsx'
import { SendWindowField } from '../wizard/send-window-field.tsx'
import type { FailoverLeg } from '../wizard/use-legs.ts'
import type { WizardState } from '../wizard/use-wizard.ts'
import { branchCosts, type BranchCosts } from './branch-costs.ts'
import { FailoverComparison } from './failover-comparison.tsx'
import { FailoverConditions } from './failover-conditions.tsx'

type FailoverSettingsProps = {
  wizard: WizardState
  failover: FailoverLeg
  onStep: (step: WizardStep) => void
  onFocus: (variable: string | undefined) => void
}

/** Conditions, template and values of a later message. */
export function FailoverSettings(props: FailoverSettingsProps) {
  return (
    <>
      <LegConditions {...props} />
      {props.failover.leg.templateStep(undefined)}
      <Values {...props} />
    </>
  )
}

/** When a later message is sent: both messages side by side, conditions and hours. */
export function LegConditions({ wizard, failover }: Pick<FailoverSettingsProps, 'wizard' | 'failover'>) {
  const { channels, counted, recipient, test } = wizard
  const { chosen, leg, channel, change, before, index } = failover
  const next = channelTraits[channel].label
  const earlier = earlierOf(wizard, before)
  const outcomes = earlier.editor.outcomes(next)
  // In a test the first message is not for everyone.
  const isForAll = before === channels.first.channel && !test.isOn
  const shared = {
    next,
    outcomes,
    conditions: chosen.entryConditions,
    onConditions: (entryConditions: typeof chosen.entryConditions) => change({ entryConditions }),
  }
  return (
    <>
      <FailoverComparison
        {...shared}
        first={{ channel: before, message: earlier.leg.message(recipient) }}
        second={{ channel, message: leg.message(recipient) }}
        isForAll={isForAll}
        people={counted && peopleToSend(counted)}
        costs={counted && !test.isOn ? costsBetween(branchCosts(counted), index) : undefined}
      />
      <FailoverConditions {...shared} />
      <SendWindowField
        label={`Send the ${next} only between`}
        otherwise="In the hours of the campaign."
        window={chosen.sendWindow}
        timezone={wizard.handle.draft.schedule.timezone}
        onWindow={(sendWindow) => change({ sendWindow })}
      />
    </>
  )
}

/** The leg whose outcomes lead to the next one, with its editor. */
function earlierOf({ channels, first, failover }: WizardState, channel: Channel) {
  const later = failover?.legs.find((one) => one.channel === channel)
  const edited = channels.others.find((one) => one.channel === channel) ?? channels.first
  return later ? { leg: later.leg, editor: edited.editor } : { leg: first, editor: channels.first.editor }
}

/** Cost of the leg before, and of the leg itself, if every message fails over. */
function costsBetween({ least, later }: BranchCosts, index: number) {
  return { first: index <= 1 ? least : (later[index - 2] ?? 0), second: later[index - 1] ?? 0 }
}

function Values({ wizard: { audience }, failover: { leg, channel }, onStep, onFocus }: FailoverSettingsProps) {
  const { template } = leg
  if (!template) return null
  if (!audience) return <NothingToFill lacks="audience" onStep={onStep} />
  return (
    leg.valuesStep({ audience, onFocus }) ?? (
      <p className="text-dense text-muted-foreground">
        {template.name} has no variables; everyone gets the same {channelTraits[channel].label}.
      </p>
    )
  )
}
