import type { SummaryFact } from '../../../channels/channel-campaigns.ts'
import { durationLabel } from '../failover/duration.ts'
import type { WizardState } from '../wizard/use-wizard.ts'
import { metricTexts } from './ab-metrics.ts'

/** The further messages of a test, who gets them, and how the winner is chosen; nothing without a test. */
export function testFacts({ test: { test, variants } }: Pick<WizardState, 'test'>): SummaryFact[] {
  if (!test) return []
  const { samplePercent, holdoutPercent, metric, durationMinutes, autoSend } = test
  const hasRest = samplePercent + holdoutPercent < 100
  return [
    ...variants.map(({ letter, leg }): SummaryFact => {
      const [sender] = leg.facts(undefined)
      return { label: `Message ${letter}`, value: leg.template?.name, note: sender?.value, step: 'template' }
    }),
    {
      label: 'A/B test',
      isLong: true,
      value: `${samplePercent}% of recipients`,
      note: holdoutPercent > 0 ? `${holdoutPercent}% get nothing` : undefined,
      step: 'template',
    },
    {
      label: 'Winner',
      value: `${metricTexts[metric].label}, after ${durationLabel(durationMinutes * 60)}`,
      note: hasRest ? (autoSend ? 'sent if certain' : 'you choose') : 'no one left to send it to',
      step: 'template',
    },
  ]
}
