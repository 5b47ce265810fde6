import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { NothingToFill, SameForAll } from '../wizard/nothing-to-fill.tsx'
import type { WizardState } from '../wizard/use-wizard.ts'
import type { WizardVariant } from './use-variants.ts'

type VariantValuesProps = {
  wizard: WizardState
  variant: WizardVariant
  onStep: (step: WizardStep) => void
  onFocus: (variable: string | undefined) => void
}

/** The values of a further message. */
export function VariantValues({ wizard: { audience }, variant: { leg }, onStep, onFocus }: VariantValuesProps) {
  const { template } = leg
  if (!template || !audience) return <NothingToFill lacks={template ? 'audience' : 'template'} onStep={onStep} />
  return leg.valuesStep({ audience, onFocus }) ?? <SameForAll name={template.name} />
}
