/** What a test or a benchmark may change while the simulator runs. */
export type GraphSettings = {
  reviewMs: number
  /** Pause between one status of a message and the next, drawn from the seed. */
  gapMs: [minimum: number, maximum: number]
  /** Of the messages delivered, the share that is read without anybody opening the phone. */
  readShare: number
  /** Held messages of a paced template are decided after this. */
  holdMs: number
  /** Messages a second per number, in and out together; 0 is no limit. */
  throughput: number
  pairLimit: boolean
  tierLimit: boolean
  throttleStatus: 400 | 429
  /** Media given by a link is fetched, and a message fails when it is not there. */
  fetchLinks: boolean
  mediaUrlMs: number
  codeMs: number
  /** Updates gather for this long before they are posted together. */
  webhookGatherMs: number
  webhookBatch: number
  /** Statuses of one number that share one change; Meta sends them one by one as a rule. */
  statusesPerChange: number
  webhookRetryMs: number
  webhookMostRetryMs: number
  webhookInFlight: number
  /** Updates kept for a webhook that does not answer; the oldest are forgotten beyond that. */
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

/** For load: no limit of Meta stands in the way, and updates come in large posts. */
export const benchmarkSettings: Partial<GraphSettings> = {
  throughput: 0,
  pairLimit: false,
  tierLimit: false,
  webhookGatherMs: 50,
}

/** The reason a change is refused; undefined when it can be made. */
export function settingProblem(changes: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(changes)) {
    if (!isSetting(name)) return `There is no setting ${name}`
    const standard = defaultSettings[name]
    if (Array.isArray(standard)) {
      if (!isRange(value)) return `${name} must be two numbers, the smaller first`
    } else if (typeof value !== typeof standard) return `${name} must be a ${typeof standard}`
    else if (typeof value === 'number' && !(value >= 0)) return `${name} must be at least 0`
  }
  return undefined
}

function isSetting(name: string): name is keyof GraphSettings {
  return Object.hasOwn(defaultSettings, name)
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [least, most]: unknown[] = value
  return typeof least === 'number' && typeof most === 'number' && least <= most
}
