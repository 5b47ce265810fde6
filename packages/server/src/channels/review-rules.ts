import type { Quality, ReviewStatus, TemplateDraft } from './management.ts'

/** A provider's statement about a review. */
export type ReviewDecision = {
  reason: string | undefined
  detail: string | undefined
  /** How often the template has been paused before. */
  pausedCount: number
}

export type StatusText = {
  text: string
  /** The text explains why the template cannot be sent. */
  isProblem: boolean
  /** How long the provider pauses the template, and how many pauses there have been. */
  pause?: { count: number; hours: number }
}

/** How the review of a template is interpreted. For channels whose providers review templates. */
export type ReviewRules = {
  /** The reviewer's name in texts. */
  reviewer: string
  /** The status for a provider's value; undefined if unknown. */
  readStatus(word: string): ReviewStatus | undefined
  /** The category for a provider's value; undefined if unknown. */
  readCategory(word: string): string | undefined
  /** Whether listed templates have the reviewer's own category; otherwise the stored one stands. */
  listsCategory: boolean
  /** Label of the category. */
  categoryName(category: string): string
  /** The category in rate cards. */
  rateCategory(category: string): string
  qualityTexts: Record<Quality, string>
  explainStatus(status: ReviewStatus, decision: ReviewDecision): StatusText
  /** Why a template was rejected and what to do; undefined if the provider gives no reason. */
  describeReason(reason: string | undefined, detail: string | undefined): string | undefined
  /** What is stored of a template in `templates.facts`, besides the state of its review. */
  factsOf(template: TemplateDraft): object
  /** The stored template updated with the provider's current content; undefined if they are equal. */
  reconcile(
    stored: { content: unknown; facts: unknown },
    theirs: TemplateDraft,
  ): { content: unknown; facts: object } | undefined
}
