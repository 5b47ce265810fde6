import type { Estimate } from '@carillon/contract/campaigns'
import type { VariableSource } from '@carillon/contract/campaign-records'
import { longestValue } from '@carillon/contract/sms-variables'
import type { SmsTemplate } from '@carillon/contract/templates'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ChecksPanel } from '../../../ui/checks-panel.tsx'
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
  audience: (_, act) => <Go to="audience" label="Open audience" act={act} />,
  account: (_, act) => <Go to="template" label="Choose account" act={act} />,
  header: (_, act) => <Go to="template" label="Choose template" act={act} />,
  template: (_, act) => <Go to="template" label="Choose template" act={act} />,
  variables: ({ missingSeqs }, act) => (
    <>
      <Show seq={missingSeqs[0]} act={act} />
      <Go to="personalise" label="Enter a value" act={act} />
    </>
  ),
  lengths: ({ tooLongSeqs }, act) => (
    <>
      <Show seq={tooLongSeqs[0]} act={act} />
      <Trim act={act} />
    </>
  ),
  values: (_, act) => <Go to="personalise" label="Open variables" act={act} />,
  parts: ({ longestSeq, multipartSeqs }, act) => <Show seq={longestSeq ?? multipartSeqs[0]} act={act} />,
  window: (_, act) => (
    <Button size="tool" onClick={act.onTomorrow}>
      Send tomorrow 10 am
    </Button>
  ),
}

function Show({ seq, act }: { seq: number | undefined; act: Act }) {
  if (seq === undefined) return null
  return (
    <Button
      size="tool"
      variant="ghost"
      aria-pressed={act.seq === seq}
      className="aria-pressed:bg-brand-muted aria-pressed:text-brand-text"
      onClick={() => act.onJump(seq)}
    >
      Show on phone
    </Button>
  )
}

function Go({ to, label, act }: { to: WizardStep; label: string; act: Act }) {
  return (
    <Button size="tool" onClick={() => act.onStep(to)}>
      {label}
    </Button>
  )
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
