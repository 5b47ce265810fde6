/** Settings that tests and benchmarks can change at runtime. */
export type GraphSettings = {
  reviewMs: number
  /** Delay between the statuses of a message, drawn from the seed. */
  gapMs: [minimum: number, maximum: number]
  /** Share of delivered messages that are marked read automatically. */
  readShare: number
  /** Delay before held messages of a paced template are released or dropped. */
  holdMs: number
  /** Messages per second and number, inbound and outbound together; 0 is no limit. */
  throughput: number
  pairLimit: boolean
  tierLimit: boolean
  throttleStatus: 400 | 429
  /** Fetches media given by link; the message fails if that is not possible. */
  fetchLinks: boolean
  mediaUrlMs: number
  codeMs: number
  /** Batching interval of webhook updates. */
  webhookGatherMs: number
  webhookBatch: number
  /** Maximum statuses per change; Meta usually sends one. */
  statusesPerChange: number
  webhookRetryMs: number
  webhookMostRetryMs: number
  webhookInFlight: number
  /** Maximum queued updates per webhook; the oldest are dropped. */
  webhookMostWaiting: number
  templatesPerWaba: number
  templatesPerHour: number
}

export const defaultSettings: GraphSettings = {
  reviewMs: 1500,
  gapMs: [5, 40],
  readShare: 1,
  holdMs: 1000,
  throughput: 80,
  pairLimit: true,
  tierLimit: true,
  throttleStatus: 400,
  fetchLinks: false,
  mediaUrlMs: 5 * 60_000,
  codeMs: 30_000,
  webhookGatherMs: 5,
  webhookBatch: 1000,
  statusesPerChange: 1,
  webhookRetryMs: 200,
  webhookMostRetryMs: 60_000,
  webhookInFlight: 8,
  webhookMostWaiting: 200_000,
  templatesPerWaba: 250,
  templatesPerHour: 100,
}

/** For load tests: no limits, large webhook batches. */
export const benchmarkSettings: Partial<GraphSettings> = {
  throughput: 0,
  pairLimit: false,
  tierLimit: false,
  webhookGatherMs: 50,
}
