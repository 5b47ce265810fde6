/** How a submit ends for the client. Values on the first line: rejected; second: lost without a response; third: accepted. */
export const answerFaults = [
  ...(['throttled', 'queue-full', 'system-error', 'invalid-number', 'unauthorized'] as const),
  ...(['reset'] as const),
  ...(['silence', 'drop', 'answer-then-drop', 'garbage', 'error-after', 'half-open'] as const),
] as const
export type AnswerFault = (typeof answerFaults)[number]

export const outcomeFaults = ['undelivered', 'expired', 'rejected'] as const
export type OutcomeFault = (typeof outcomeFaults)[number]

/** `stranger` adds a report with an unknown message id, `forged` one with an invalid signature (HTTP only). */
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

/** Fault probabilities. Each is drawn from (seed, destination, attempt), so runs are reproducible. */
export type FaultPlan = {
  seed: number
  /** Selects the outcome by the last four digits of the number; disable for load tests with sequential numbers. */
  magicNumbers: boolean
  answers: Partial<Record<AnswerFault, number>>
  outcomes: Partial<Record<OutcomeFault, number>>
  reports: Partial<Record<ReportFault, number>>
  /** Fixed responses by number suffix. */
  answerBySuffix: Record<string, AnswerFault>
  receiptDelayMs: [minimum: number, maximum: number]
  answerDelayMs: [minimum: number, maximum: number]
  lateMs: number
  silenceMs: number
  /** Disconnects or freezes a bind after this many submits; 0 is never. */
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
