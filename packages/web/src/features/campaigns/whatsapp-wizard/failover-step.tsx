import { Split } from 'lucide-react'
import { Empty } from '../../../ui/empty.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { SmsTemplateStep } from '../sms-wizard/sms-template-step.tsx'
import { smsVariableRows } from '../sms-wizard/sms-variable-rows.ts'
import { NothingToFill } from '../wizard/nothing-to-fill.tsx'
import { SourceList } from '../wizard/source-list.tsx'
import { withSource } from '../wizard/variable-sources.ts'
import { FailoverConditions } from './failover-conditions.tsx'
import { FailoverWeave } from './failover-weave.tsx'
import type { WhatsappWizardState } from './use-whatsapp-wizard.ts'
import type { WhatsappStep } from './whatsapp-draft-state.ts'
import { smsMessageOf, whatsappMessageOf } from './whatsapp-rail.tsx'

type FailoverStepProps = {
  wizard: WhatsappWizardState
  onStep: (step: WhatsappStep) => void
  onFocus: (slot: string | undefined) => void
}

/** Whether SMS takes over where WhatsApp does not reach, when, and with which text. */
export function FailoverStep({ wizard, onStep, onFocus }: FailoverStepProps) {
  const { handle, choose } = wizard
  const { draft } = handle
  return (
    <div className="flex flex-col gap-6">
      <div className="flex items-start gap-4 border-y border-border py-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-section font-semibold">SMS where WhatsApp does not reach</h2>
          <p className="text-dense text-muted-foreground">
            Nobody is counted twice: a person who gets the SMS is one person in the report.
          </p>
        </div>
        <div className="pt-1">
          <Switch label="Go on by SMS" checked={draft.smsFailover} onCheckedChange={choose.failover} />
        </div>
      </div>
      {draft.smsFailover ? (
        <Failover wizard={wizard} onStep={onStep} onFocus={onFocus} />
      ) : (
        <Empty icon={Split} title="WhatsApp alone">
          Whoever it does not reach counts as failed, and is not paid for.
        </Empty>
      )}
    </div>
  )
}

function Failover({ wizard, onStep, onFocus }: FailoverStepProps) {
  const { handle, choose, counted, smsTemplate } = wizard
  const { draft, change } = handle
  return (
    <>
      <FailoverWeave
        whatsapp={whatsappMessageOf(wizard)}
        sms={smsMessageOf(wizard, smsTemplate)}
        conditions={draft.smsFailoverConditions}
        people={counted && counted.people - counted.missing - counted.optedOut}
        costs={counted && { whatsapp: counted.cost - counted.failoverCost, sms: counted.failoverCost }}
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
      title="Variables of the SMS"
      audience={audience}
      variables={smsVariableRows(smsTemplate)}
      sources={sources}
      onSource={(index, source) => handle.change({ smsCustomParams: withSource(sources, { index, source, count }) })}
      onFocus={onFocus}
    />
  )
}
