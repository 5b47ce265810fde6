import type { Quality, ReviewStatus, TemplateDraft } from './management.ts'

/** What a provider says when it decides about a template. */
export type ReviewDecision = {
  reason: string | undefined
  detail: string | undefined
  /** How often the template was paused before. */
  pausedCount: number
}

export type StatusText = {
  text: string
  /** The text says why the template cannot be sent. */
  isProblem: boolean
  /** How long the provider pauses the template, and which pause it is. */
  pause?: { count: number; hours: number }
}

/** What the review of a template means. For channels whose providers review templates. */
export type ReviewRules = {
  /** Who reviews templates, as texts name it. */
  reviewer: string
  /** The status for a provider's word; undefined for unknown words. */
  readStatus(word: string): ReviewStatus | undefined
  /** The category for a provider's word; undefined for unknown words. */
  readCategory(word: string): string | undefined
  /** As people read it. */
  categoryName(category: string): string
  /** As rate cards name it. */
  rateCategory(category: string): string
  qualityTexts: Record<Quality, string>
  explainStatus(status: ReviewStatus, decision: ReviewDecision): StatusText
  /** Why a template was rejected and what to do; undefined if the provider gives no reason. */
  describeReason(reason: string | undefined, detail: string | undefined): string | undefined
  /** What is stored of a template in `templates.facts`, besides the state of its review. */
  factsOf(template: TemplateDraft): object
  /** The stored template with the provider's present content; undefined if they are the same. */
  reconcile(
    stored: { content: unknown; facts: unknown },
    theirs: TemplateDraft,
  ): { content: unknown; facts: object } | undefined
}
