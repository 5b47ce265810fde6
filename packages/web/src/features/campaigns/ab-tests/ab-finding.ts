import type { AbReport, VariantResult } from '@carillon/contract/ab-tests'
import { countOf, formatCount, formatDateTime } from '../../../lib/format.ts'
import { letterOfVariant } from '@carillon/contract/variant-positions'
import { metricPhrase } from './ab-metrics.ts'

type Found = Pick<
  AbReport,
  'phase' | 'metric' | 'rest' | 'leader' | 'isCertain' | 'autoSend' | 'decidesAt' | 'endsAt' | 'winner' | 'decidedBy'
> & { variants: readonly VariantResult[] }

/** The result of a test so far, as one or two sentences. */
export function findingOf(report: Found): string {
  switch (report.phase) {
    case 'none':
      return report.decidesAt
        ? 'The campaign ended before a winner was chosen.'
        : 'The test begins when the campaign starts.'
    case 'testing':
      return [leadOf(report), nextOf(report)].filter(Boolean).join(' ')
    case 'awaiting_winner':
      return [report.isCertain ? leadOf(report) : 'No certain winner.', choiceOf(report)].join(' ')
    case 'winner_sending':
      return outcomeOf(report)
  }
}

function leadOf({ metric, variants, leader, isCertain }: Found): string {
  const best = variants.find(({ variant }) => variant === leader)
  if (!best || best.value === null) return 'No results yet.'
  const phrase = metricPhrase(metric, best.value)
  const letter = letterOfVariant(best.variant)
  if (isCertain) return `${letter} leads with ${phrase}, with 95% confidence.`
  return isTied(best, variants)
    ? `No difference yet: ${phrase}.`
    : `No certain difference yet; ${letter} is ahead with ${phrase}.`
}

/** The winner, or the message that is ahead; undefined for the others, and while messages are equal. */
export function markOf({ winner, leader, isCertain, variants }: Found, variant: number): string | undefined {
  if (winner !== null) return winner === variant ? 'Winner' : undefined
  const best = variants.find((one) => one.variant === leader)
  if (!best || leader !== variant || isTied(best, variants)) return undefined
  return isCertain ? 'Leads, certain' : 'Ahead, not certain'
}

function isTied({ value }: VariantResult, variants: Found['variants']): boolean {
  return variants.filter((one) => one.value === value).length > 1
}

function nextOf({ rest, autoSend, decidesAt }: Found): string {
  if (rest === 0 || !decidesAt) return ''
  const then = autoSend ? 'a certain winner is sent to' : 'you choose the message for'
  return `On ${formatDateTime(decidesAt)} ${then} the other ${countOf(rest, 'person', 'people')}.`
}

function choiceOf({ rest, endsAt }: Found): string {
  if (rest === 0) return 'Everyone was in the test, so there is no one left to send it to.'
  const until = endsAt ? ` by ${formatDateTime(endsAt)}` : ''
  return `Choose the message for the other ${countOf(rest, 'person', 'people')}${until}.`
}

function outcomeOf({ metric, variants, winner, rest, decidedBy }: Found): string {
  const best = variants.find(({ variant }) => variant === winner)
  if (!best) return 'The test has ended without a winner.'
  const letter = letterOfVariant(best.variant)
  const value = best.value === null ? '' : ` with ${metricPhrase(metric, best.value)}`
  const won = decidedBy ? `${decidedBy} chose ${letter}${value && `,${value}`}` : `${letter} won${value}`
  return rest > 0 ? `${won}; sent to the other ${countOf(rest, 'person', 'people')}.` : `${won}.`
}

/** What the report says of the control group; undefined without one. */
export function controlGroupText({ heldOut }: Pick<AbReport, 'heldOut'>): string | undefined {
  return heldOut > 0 ? `${formatCount(heldOut)} in the control group get no message.` : undefined
}
