import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { SecretBox } from '../../../lib/secrets.ts'
import { openSecrets } from '../secrets.ts'
import { openDeliveryLane, type DeliveryLane, type LaneDependencies, type LaneTerms } from './delivery-lane.ts'
import { readTerms, releaseLanes, writeStates, type EndpointTerms, type LaneKey, type Pool } from './lanes.queries.ts'
import type { DeliveryResult } from './results.queries.ts'
import { createSigner } from './sign.ts'

/** The lanes of this process. */
export type HeldLanes = {
  list(): DeliveryLane[]
  /** Opens claimed lanes with leases until this time. */
  add(keys: readonly LaneKey[], leasedUntil: number): Promise<void>
  /** Those that are not renewed are lost when their leases run out. */
  renew(renewed: readonly Renewed[], leasedUntil: number): void
  /** Reads the endpoints again. Disabled and deleted ones get no further request. */
  follow(): Promise<void>
  writeStates(): Promise<void>
  settle(results: readonly DeliveryResult[]): void
  closeLane(key: LaneKey): void
  /** Whether the endpoint was disabled, as of the last check: its deliveries are kept. */
  isShut(lane: DeliveryLane): boolean
  remove(lanes: readonly DeliveryLane[]): void
  /** Starts no further request, and waits for running ones up to this time. */
  closeAll(graceMs: number): Promise<void>
}

type Renewed = Pick<LaneKey, 'endpointId' | 'epoch'>

type Options = { pool: Pool; logger: Logger; clock: Clock; secretBox: SecretBox; lane: LaneDependencies }

/** A lane with what it was opened from. */
type Held = { lane: DeliveryLane; secrets: Buffer; hasPrevious: boolean; isShut: boolean }

export function createHeldLanes(options: Options): HeldLanes {
  const { pool, clock } = options
  const held = new Map<string, Held>()
  const lanes = () => [...held.values()].map(({ lane }) => lane)
  const find = ({ endpointId, epoch }: Renewed): Held | undefined => {
    const found = held.get(endpointId)
    return found?.lane.key.epoch === epoch ? found : undefined
  }

  function open(key: LaneKey, endpoint: EndpointTerms, leasedUntil: number): boolean {
    const terms = readLaneTerms(options, endpoint)
    if (!terms) return false
    const lane = openDeliveryLane(options.lane, { key, terms, state: endpoint, leasedUntil })
    if (!endpoint.isOpen) lane.close()
    const { secrets, isOpen } = endpoint
    held.set(key.endpointId, { lane, secrets, hasPrevious: usesPrevious(endpoint, clock), isShut: !isOpen })
    return true
  }

  return {
    list: lanes,
    async add(keys, leasedUntil) {
      if (keys.length === 0) return
      const endpoints = new Map((await readTerms(pool, keys)).map((endpoint) => [endpoint.endpointId, endpoint]))
      const unusable = keys.filter((key) => {
        const endpoint = endpoints.get(key.endpointId)
        return endpoint && !open(key, endpoint, leasedUntil)
      })
      await holdBack(options, unusable)
    },
    renew(renewed, leasedUntil) {
      for (const key of renewed) find(key)?.lane.renew(leasedUntil)
      for (const lane of lanes().filter((one) => one.isLost())) {
        lane.close()
        held.delete(lane.key.endpointId)
      }
    },
    async follow() {
      const before = [...held.values()]
      if (before.length === 0) return
      const rows = await readTerms(
        pool,
        before.map(({ lane }) => lane.key),
      )
      const endpoints = new Map(rows.map((endpoint) => [endpoint.endpointId, endpoint]))
      for (const entry of before) followOne(options, entry, endpoints.get(entry.lane.key.endpointId))
    },
    async writeStates() {
      const changed = lanes().filter((lane) => lane.takeChange())
      await writeStates(
        pool,
        changed.map((lane) => ({ ...lane.key, ...lane.state() })),
      )
    },
    settle(results) {
      const byLane = Map.groupBy(results, ({ key }) => find(key))
      for (const [entry, ofLane] of byLane) entry?.lane.settle(ofLane.map(({ id }) => id))
    },
    closeLane: (key) => find(key)?.lane.close(),
    isShut: (lane) => find(lane.key)?.isShut ?? false,
    remove(removed) {
      for (const { key } of removed) if (find(key)) held.delete(key.endpointId)
    },
    async closeAll(graceMs) {
      const until = performance.now() + graceMs
      for (const lane of lanes()) lane.close()
      while (lanes().some((lane) => lane.inFlight() > 0) && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 20))
    },
  }
}

function followOne(options: Options, entry: Held, endpoint: EndpointTerms | undefined): void {
  if (!endpoint?.isOpen) {
    entry.lane.close()
    entry.isShut = endpoint !== undefined
    return
  }
  const hasPrevious = usesPrevious(endpoint, options.clock)
  const isSame = endpoint.secrets.equals(entry.secrets) && hasPrevious === entry.hasPrevious
  const terms = isSame ? { ...entry.lane.terms(), url: endpoint.url } : readLaneTerms(options, endpoint)
  if (!terms) return entry.lane.close()
  entry.lane.follow(terms)
  Object.assign(entry, { secrets: endpoint.secrets, hasPrevious })
}

function usesPrevious({ previousUntil }: EndpointTerms, clock: Clock): boolean {
  return previousUntil !== null && previousUntil > clock.now()
}

/** Undefined if the secrets cannot be decrypted: without a signature nothing is sent. */
function readLaneTerms({ secretBox, logger, clock }: Options, endpoint: EndpointTerms): LaneTerms | undefined {
  const { organizationId, endpointId, url, secrets } = endpoint
  try {
    const { current, previous } = openSecrets(secretBox, { organizationId, id: endpointId }, secrets)
    return { url, signer: createSigner({ current, previous: usesPrevious(endpoint, clock) ? previous : undefined }) }
  } catch (error) {
    logger.error({ organizationId, endpoint: endpointId, err: error }, 'the secret of a webhook endpoint is unusable')
    return undefined
  }
}

const unusableForMs = 60_000

async function holdBack({ pool, clock }: Options, keys: readonly LaneKey[]): Promise<void> {
  if (keys.length === 0) return
  const heldUntil = new Date(clock.now().getTime() + unusableForMs)
  const states = await readTerms(pool, keys)
  const epochs = new Map(keys.map(({ endpointId, epoch }) => [endpointId, epoch]))
  await writeStates(
    pool,
    states.map((state) => ({ ...state, heldUntil, epoch: epochs.get(state.endpointId) ?? 0 })),
  )
  await releaseLanes(pool, keys)
}
