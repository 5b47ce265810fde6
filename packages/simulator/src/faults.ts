/** How a submit ends for the client. The first line is refused, the second lost unheard, the third taken. */
export const answerFaults = [
  ...(['throttled', 'queue-full', 'system-error', 'invalid-number', 'unauthorized'] as const),
  ...(['reset'] as const),
  ...(['silence', 'drop', 'answer-then-drop', 'garbage', 'error-after', 'half-open'] as const),
] as const
export type AnswerFault = (typeof answerFaults)[number]

export const outcomeFaults = ['undelivered', 'expired', 'rejected'] as const
export type OutcomeFault = (typeof outcomeFaults)[number]

/** `stranger` adds a report about an id nobody was given, `forged` one with a wrong signature (HTTP only). */
export const reportFaults = [
  'lost',
  'duplicate',
  'shuffled',
  'late',
  'early',
  'contradictory',
  'stranger',
  'forged',
] as const
export type ReportFault = (typeof reportFaults)[number]

/** What goes wrong, how often. Every probability is drawn from (seed, destination, attempt): the same run fails the same way. */
export type FaultPlan = {
  seed: number
  /** Fate by the last four digits dialled; off for load tests that count through all numbers. */
  magicNumbers: boolean
  answers: Partial<Record<AnswerFault, number>>
  outcomes: Partial<Record<OutcomeFault, number>>
  reports: Partial<Record<ReportFault, number>>
  /** Always this answer for numbers that end so. */
  answerBySuffix: Record<string, AnswerFault>
  receiptDelayMs: [minimum: number, maximum: number]
  answerDelayMs: [minimum: number, maximum: number]
  lateMs: number
  silenceMs: number
  /** A bind is cut, or falls silent, after this many submits; 0 never. */
  disconnectAfter: number
  halfOpenAfter: number
}

export const calmPlan: FaultPlan = {
  seed: 1,
  magicNumbers: true,
  answers: {},
  outcomes: {},
  reports: {},
  answerBySuffix: {},
  receiptDelayMs: [0, 0],
  answerDelayMs: [0, 0],
  lateMs: 30_000,
  silenceMs: 30_000,
  disconnectAfter: 0,
  halfOpenAfter: 0,
}
