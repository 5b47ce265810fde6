import { SmsTemplateStep } from '../../../../channels/sms/campaigns/sms-template-step.tsx'
import { smsVariableRows } from '../../../../channels/sms/campaigns/sms-variable-rows.ts'
import { peopleToSend } from '../../dialogs/recipients-to-send.ts'
import { NothingToFill } from '../nothing-to-fill.tsx'
import { SourceList } from '../../../../channels/parts/source-list.tsx'
import { withSource } from '../../../../channels/parts/variable-sources.ts'
import { branchCosts } from './branch-costs.ts'
import { FailoverConditions } from './failover-conditions.tsx'
import { FailoverComparison } from './failover-comparison.tsx'
import type { WhatsappWizardState } from '../../../../channels/whatsapp/campaigns/use-whatsapp-wizard.ts'
import type { WhatsappStep } from '../../../../channels/whatsapp/campaigns/whatsapp-draft-state.ts'
import { smsMessageOf, whatsappMessageOf } from '../../../../channels/whatsapp/campaigns/whatsapp-rail.tsx'

export type FailoverStepProps = {
  wizard: WhatsappWizardState
  onStep: (step: WhatsappStep) => void
  onFocus: (slot: string | undefined) => void
}

/** When SMS takes over, with which text, and what fills it. */
export function FailoverSettings({ wizard, onStep, onFocus }: FailoverStepProps) {
  const { handle, choose, counted, smsTemplate } = wizard
  const { draft, change } = handle
  return (
    <>
      <FailoverComparison
        whatsapp={whatsappMessageOf(wizard)}
        sms={smsMessageOf(wizard, smsTemplate)}
        conditions={draft.smsFailoverConditions}
        people={counted && peopleToSend(counted)}
        costs={counted && branchCosts(counted)}
        onConditions={(smsFailoverConditions) => change({ smsFailoverConditions })}
      />
      <FailoverConditions
        conditions={draft.smsFailoverConditions}
        onConditions={(smsFailoverConditions) => change({ smsFailoverConditions })}
      />
      <SmsTemplateStep
        accountId={draft.smsAccountId}
        templateId={draft.smsTemplate}
        onAccount={choose.smsAccount}
        onTemplate={choose.smsTemplate}
      />
      <SmsValues wizard={wizard} onStep={onStep} onFocus={onFocus} />
    </>
  )
}

function SmsValues({ wizard, onStep, onFocus }: FailoverStepProps) {
  const { handle, smsTemplate, audience } = wizard
  if (!smsTemplate) return null
  if (!audience) return <NothingToFill lacks="audience" onStep={onStep} />
  const count = smsTemplate.variables.length
  const sources = handle.draft.smsCustomParams
  if (count === 0)
    return (
      <p className="text-dense text-muted-foreground">
        {smsTemplate.name} has no variables; everyone gets the same SMS.
      </p>
    )
  return (
    <SourceList
      id="sms-sources"
      title="SMS variables"
      audience={audience}
      variables={smsVariableRows(smsTemplate)}
      sources={sources}
      onSource={(index, source) => handle.change({ smsCustomParams: withSource(sources, { index, source, count }) })}
      onFocus={onFocus}
    />
  )
}
