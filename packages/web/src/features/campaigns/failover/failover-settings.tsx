import { channelTraits } from '@carillon/contract/channels/table'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { peopleToSend } from '../dialogs/recipients-to-send.ts'
import { NothingToFill } from '../wizard/nothing-to-fill.tsx'
import { SendWindowField } from '../wizard/send-window-field.tsx'
import type { FailoverLeg } from '../wizard/use-legs.ts'
import type { WizardState } from '../wizard/use-wizard.ts'
import { branchCosts } from './branch-costs.ts'
import { FailoverComparison } from './failover-comparison.tsx'
import { FailoverConditions } from './failover-conditions.tsx'

export type FailoverStepProps = {
  wizard: WizardState
  failover: FailoverLeg
  onStep: (step: WizardStep) => void
  onFocus: (variable: string | undefined) => void
}

/** Conditions, template and values of the second message. */
export function FailoverSettings(props: FailoverStepProps) {
  const { wizard, failover } = props
  const { channels, first, counted, recipient } = wizard
  const { chosen, leg, channel, change } = failover
  const next = channelTraits[channel].label
  const outcomes = channels.first.editor.outcomes(next)
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
        first={{ channel: channels.first.channel, message: first.message(recipient) }}
        second={{ channel, message: leg.message(recipient) }}
        people={counted && peopleToSend(counted)}
        costs={counted && branchCosts(counted)}
      />
      <FailoverConditions {...shared} />
      <SendWindowField
        label={`Send the ${next} only between`}
        otherwise="In the hours of the campaign."
        window={chosen.sendWindow}
        timezone={wizard.handle.draft.schedule.timezone}
        onWindow={(sendWindow) => change({ sendWindow })}
      />
      {leg.templateStep(undefined)}
      <Values {...props} />
    </>
  )
}

function Values({ wizard: { audience }, failover: { leg, channel }, onStep, onFocus }: FailoverStepProps) {
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
