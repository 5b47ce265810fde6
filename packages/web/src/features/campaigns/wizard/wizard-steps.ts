/** What the steps are called that every wizard has; a channel puts its own among them. */
export const commonStepLabels = {
  audience: 'Audience',
  template: 'Template',
  personalise: 'Personalise',
  review: 'Review',
} as const

type CommonStep = keyof typeof commonStepLabels

export type WizardSteps<Step extends string> = {
  /** In their order; the last one is the review. */
  ids: readonly Step[]
  labels: Record<Step, string>
  /** What a step still lacks, counted. */
  open: Record<Step, number>
  /** Whether enough is chosen that a step can be called done, or wrong. */
  judged: Record<Step, boolean>
}

/** Variables can be judged when there are people and a text; the review never is. */
export function judgedSteps(open: Record<CommonStep, number>): Record<CommonStep, boolean> {
  return {
    audience: open.audience === 0,
    template: open.template === 0,
    personalise: open.template + open.audience === 0,
    review: false,
  }
}
