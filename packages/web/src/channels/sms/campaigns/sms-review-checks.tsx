import type { Estimate } from '@carillon/contract/campaign-drafts'
import { longestValue } from '@carillon/contract/channels/sms/sms-variables'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ChecksPanel } from '../../../ui/checks-panel.tsx'
import { GoToStep, SendAtOpening, ShowOnPhone } from '../../parts/check-actions.tsx'
import type { SmsStep } from './sms-draft-state.ts'
import type { SmsWizardState } from './use-sms-wizard.ts'

type SmsReviewChecksProps = {
  wizard: SmsWizardState
  estimate: Estimate
  template: SmsTemplate
  onStep: (step: SmsStep) => void
}

/** The server's checks over all rows, each with an action. */
export function SmsReviewChecks(props: SmsReviewChecksProps) {
  return (
    <ChecksPanel
      passesFolded
      checks={props.estimate.checks.map((check) => ({
        ...check,
        actions: check.level === 'pass' ? undefined : actions[check.id]?.(props),
      }))}
    />
  )
}

/** By check id; checks without an entry have no action. */
const actions: Record<string, (props: SmsReviewChecksProps) => ReactNode> = {
  audience: ({ onStep }) => <GoToStep to="audience" label="Open audience" onStep={onStep} />,
  consent: ({ onStep }) => <GoToStep to="audience" label="Open audience" onStep={onStep} />,
  account: ({ onStep }) => <GoToStep to="template" label="Choose account" onStep={onStep} />,
  header: ({ onStep }) => <GoToStep to="template" label="Choose template" onStep={onStep} />,
  template: ({ onStep }) => <GoToStep to="template" label="Choose template" onStep={onStep} />,
  variables: ({ wizard, estimate, onStep }) => (
    <>
      <ShowRow wizard={wizard} row={estimate.missingSeqs[0]} />
      <GoToStep to="personalise" label="Enter a value" onStep={onStep} />
    </>
  ),
  lengths: ({ wizard, estimate, template }) => (
    <>
      <ShowRow wizard={wizard} row={estimate.tooLongSeqs[0]} />
      <Trim wizard={wizard} template={template} />
    </>
  ),
  formats: ({ wizard, estimate, onStep }) => (
    <>
      <ShowRow wizard={wizard} row={estimate.unreadableSeqs[0]} />
      <GoToStep to="personalise" label="Open variables" onStep={onStep} />
    </>
  ),
  values: ({ onStep }) => <GoToStep to="personalise" label="Open variables" onStep={onStep} />,
  parts: ({ wizard, estimate }) => <ShowRow wizard={wizard} row={estimate.longestSeq ?? estimate.multipartSeqs[0]} />,
  window: ({ wizard, estimate: { beginsAt } }) => <SendAtOpening handle={wizard.handle} beginsAt={beginsAt} />,
}

function ShowRow({ wizard, row }: { wizard: SmsWizardState; row: number | undefined }) {
  return <ShowOnPhone seq={row} shown={wizard.seq} onJump={wizard.setSeq} />
}

function Trim({ wizard: { handle }, template }: Pick<SmsReviewChecksProps, 'wizard' | 'template'>) {
  const trimmed = template.variables.map(({ kind }, index) => ({
    fallback: '',
    ...handle.draft.variables[index],
    trimTo: longestValue[kind],
  }))
  return (
    <Button size="tool" onClick={() => handle.change({ variables: trimmed })}>
      Trim values
    </Button>
  )
}
