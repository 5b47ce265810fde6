import { calmPlan, type FaultPlan } from './faults.ts'

/** Named fault plans. Each is the calm one with these differences. */
export const scenarios = {
  /** Everything is accepted at once and delivered. */
  calm: {},
  /** As in the demo: reports take seconds, and now and then a phone is off. */
  lifelike: { receiptDelayMs: [300, 4000], outcomes: { undelivered: 0.03, expired: 0.01, rejected: 0.005 } },
  /** An operator at its limits: many messages are rejected temporarily, none is lost. */
  throttled: { answers: { throttled: 0.3, 'queue-full': 0.05 }, answerDelayMs: [5, 60] },
  /** An unreliable connection: it breaks around the response, and reports repeat. */
  flaky: {
    answers: { drop: 0.005, reset: 0.005, 'answer-then-drop': 0.005, 'system-error': 0.01 },
    reports: { duplicate: 0.05, shuffled: 0.2 },
    disconnectAfter: 2000,
  },
  /** Reports are lost, late or repeated, while every response arrives. */
  lossy: { reports: { lost: 0.1, duplicate: 0.1, shuffled: 0.5, late: 0.02 } },
  /** Every known fault together. */
  hostile: {
    answers: {
      throttled: 0.05,
      'queue-full': 0.01,
      'system-error': 0.02,
      reset: 0.01,
      silence: 0.002,
      drop: 0.01,
      'answer-then-drop': 0.01,
      garbage: 0.002,
      'error-after': 0.01,
      unauthorized: 0.002,
      'half-open': 0.0005,
    },
    outcomes: { undelivered: 0.05, expired: 0.02, rejected: 0.02 },
    reports: {
      lost: 0.03,
      duplicate: 0.1,
      shuffled: 0.5,
      early: 0.05,
      contradictory: 0.02,
      stranger: 0.02,
      forged: 0.01,
    },
    receiptDelayMs: [0, 500],
    disconnectAfter: 5000,
  },
} satisfies Record<string, Partial<FaultPlan>>

export type ScenarioName = keyof typeof scenarios

export function isScenario(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name)
}

export function scenarioPlan(name: ScenarioName, changes: Partial<FaultPlan> = {}): FaultPlan {
  return { ...calmPlan, ...scenarios[name], ...changes }
}
