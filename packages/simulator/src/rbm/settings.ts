/** Settings that tests and benchmarks can change at runtime. */
export type RbmSettings = {
  /** Share of numbers that can receive RCS, drawn from the seed and the number. */
  reachShare: number
  /** Share of delivered messages that are read automatically. */
  readShare: number
  /** Delay between the events of a message, drawn from the seed. */
  gapMs: [minimum: number, maximum: number]
  /** Messages per second and agent; 0 is no limit. */
  messagesPerSecond: number
  batchGetsPerMinute: number
  /** Requests with fewer numbers are refused. Google's documentation does not say whether it refuses fewer than 500. */
  batchGetLeast: number
  testersPerDay: number
  testersPerAgent: number
  /** Delay before an invited tester accepts. */
  testerMs: number
  /** Review of an agent's verification and of a Dotgo template. */
  reviewMs: number
  launchMs: number
  tokenMs: number
  /** Response to the revocation of a delivered or unknown message: Google's pages differ. */
  revokeAnswer: 'not-found' | 'ok'
  /** Requires file URLs to be https. */
  httpsOnly: boolean
  /** First messages of type PROMOTION per agent and user in 28 days until the user writes; 0 is no limit. */
  promotionsPerUser: number
  /** Hours of the day in India in which PROMOTION is accepted. */
  promotionHours: [from: number, to: number]
  /** Dotgo reports an invalid template in a response with status 200. */
  dotgoErrorsIn200: boolean
  /** Dotgo posts the bare event without Google's envelope. */
  dotgoBareEvents: boolean
  webhookRetryMs: number
  webhookMostRetryMs: number
  webhookInFlight: number
  /** Maximum queued events; further ones are dropped. */
  webhookMostWaiting: number
}

export const defaultSettings: RbmSettings = {
  reachShare: 1,
  readShare: 1,
  gapMs: [5, 40],
  messagesPerSecond: 0,
  batchGetsPerMinute: 600,
  batchGetLeast: 1,
  testersPerDay: 20,
  testersPerAgent: 200,
  testerMs: 200,
  reviewMs: 1500,
  launchMs: 1500,
  tokenMs: 3_599_000,
  revokeAnswer: 'not-found',
  httpsOnly: false,
  promotionsPerUser: 0,
  promotionHours: [0, 24],
  dotgoErrorsIn200: true,
  dotgoBareEvents: false,
  webhookRetryMs: 200,
  webhookMostRetryMs: 600_000,
  webhookInFlight: 32,
  webhookMostWaiting: 500_000,
}
