import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { VariableSource } from '@carillon/contract/campaign-records'
import { longestValue } from '@carillon/contract/sms-variables'
import type { SmsTemplate } from '@carillon/contract/templates'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ChecksPanel } from '../../../ui/checks-panel.tsx'
import { GoToStep, SendTomorrow, ShowOnPhone } from './check-actions.tsx'
import type { WizardStep } from './draft-state.ts'

type Act = {
  seq: number
  template: SmsTemplate
  sources: readonly VariableSource[]
  onJump: (seq: number) => void
  onStep: (step: WizardStep) => void
  onSources: (sources: VariableSource[]) => void
  /** Starts tomorrow when the hours open. */
  onTomorrow: () => void
}

type ReviewChecksProps = Act & { estimate: Estimate }

/** What the server found over all rows, each with the nearest thing to do about it. */
export function ReviewChecks({ estimate, ...act }: ReviewChecksProps) {
  return (
    <ChecksPanel
      checks={estimate.checks.map((check) => ({
        ...check,
        actions: check.level === 'pass' ? undefined : actionsFor(check.id, estimate, act),
      }))}
    />
  )
}

function actionsFor(id: string, estimate: Estimate, act: Act): ReactNode {
  const make = actions[id]
  return make ? make(estimate, act) : null
}

/** By the check's id; a check without an entry stands alone with its words. */
const actions: Record<string, (estimate: Estimate, act: Act) => ReactNode> = {
  audience: (_, { onStep }) => <GoToStep to="audience" label="Open audience" onStep={onStep} />,
  account: (_, { onStep }) => <GoToStep to="template" label="Choose account" onStep={onStep} />,
  header: (_, { onStep }) => <GoToStep to="template" label="Choose template" onStep={onStep} />,
  template: (_, { onStep }) => <GoToStep to="template" label="Choose template" onStep={onStep} />,
  variables: ({ missingSeqs }, { seq, onJump, onStep }) => (
    <>
      <ShowOnPhone seq={missingSeqs[0]} shown={seq} onJump={onJump} />
      <GoToStep to="personalise" label="Enter a value" onStep={onStep} />
    </>
  ),
  lengths: ({ tooLongSeqs }, act) => (
    <>
      <ShowOnPhone seq={tooLongSeqs[0]} shown={act.seq} onJump={act.onJump} />
      <Trim act={act} />
    </>
  ),
  values: (_, { onStep }) => <GoToStep to="personalise" label="Open variables" onStep={onStep} />,
  parts: ({ longestSeq, multipartSeqs }, { seq, onJump }) => (
    <ShowOnPhone seq={longestSeq ?? multipartSeqs[0]} shown={seq} onJump={onJump} />
  ),
  window: (_, { onTomorrow }) => <SendTomorrow onTomorrow={onTomorrow} />,
}

function Trim({ act: { template, sources, onSources } }: { act: Act }) {
  const trimmed = template.variables.map(({ kind }, index) => ({
    fallback: '',
    ...sources[index],
    trimTo: longestValue[kind],
  }))
  return (
    <Button size="tool" onClick={() => onSources(trimmed)}>
      Trim values
    </Button>
  )
}
