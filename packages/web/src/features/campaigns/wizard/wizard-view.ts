import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { wizardLink } from '../../../lib/links.ts'
import { choiceParam, defineView } from '../../../lib/url-state.ts'
import type { WizardStepIds } from './wizard-steps.ts'

/** URL state of the wizard with these steps. */
export function wizardView(steps: WizardStepIds) {
  return defineView({ step: choiceParam<WizardStep>('t', steps, steps[0]), ...wizardLink })
}
