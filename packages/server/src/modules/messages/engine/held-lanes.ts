import { inBackground } from '../../../lib/background.ts'
import type { LaneKey } from './chunks.queries.ts'
import { holdLane, type HeldLane, type HeldLaneOptions } from './held-lane.ts'
import type { LaneMeasure } from './lane.ts'
import type { LaneWork } from './lanes.queries.ts'

/** The lanes of this process. */
export type HeldLanes = {
  count(): number
  /** Senders whose lanes this process does not claim now: held, closing, or just released. */
  unclaimable(): string[]
  /** Opens claimed lanes with leases until this time. */
  add(keys: readonly LaneKey[], leasedUntil: number): void
  /** Lanes whose leases are renewed, including those closing in order. */
  list(): LaneKey[]
  renew(keys: readonly LaneKey[], leasedUntil: number): void
  /**
   * Updates from the database's rows of this owner's lanes, which were requested after `before` was listed: a missing one is
   * lost. Returns those that are not held here.
   */
  follow(before: readonly LaneKey[], work: readonly LaneWork[]): LaneKey[]
  inspect(): void
  writeStates(): void
  /** One for each lane; undefined for those that are not open yet. */
  measure(): (LaneMeasure | undefined)[]
  /** Resolves when the outcomes of this sender that are known now are written, or cannot be. */
  caughtUp(senderId: string): Promise<void>
  release(key: LaneKey): Promise<void>
  /** Releases up to this many lanes without work, the longest idle first. */
  releaseIdle(count: number): void
  /** Releases all lanes, and waits for those that are closing already. */
  close(): Promise<void>
}

export function createHeldLanes(options: Omit<HeldLaneOptions, 'onRest' | 'onEnd'>): HeldLanes {
  const lanes = new Map<string, HeldLane>()
  const skippedUntil = new Map<string, number>()

  const find = ({ senderId, epoch }: LaneKey): HeldLane | undefined => {
    const lane = lanes.get(senderId)
    return lane?.key.epoch === epoch ? lane : undefined
  }
  const lifecycle: HeldLaneOptions = {
    ...options,
    onRest({ senderId }) {
      skippedUntil.set(senderId, performance.now() + options.timing.rest)
    },
    onEnd(key) {
      if (find(key)) lanes.delete(key.senderId)
    },
  }

  return {
    count: () => lanes.size,
    unclaimable() {
      for (const [senderId, until] of skippedUntil) if (until < performance.now()) skippedUntil.delete(senderId)
      return [...lanes.keys(), ...skippedUntil.keys()]
    },
    add(keys, leasedUntil) {
      for (const key of keys) lanes.set(key.senderId, holdLane(lifecycle, key, leasedUntil))
    },
    list: () => [...lanes.values()].filter((lane) => lane.closing() !== 'lost').map(({ key }) => key),
    renew(keys, leasedUntil) {
      for (const key of keys) find(key)?.renew(leasedUntil)
    },
    follow(before, work) {
      const found = new Map(work.map((row) => [`${row.senderId}.${row.epoch}`, row]))
      for (const key of before) find(key)?.follow(found.get(`${key.senderId}.${key.epoch}`))
      return work.filter((row) => !find(row))
    },
    inspect() {
      for (const lane of lanes.values()) lane.inspect()
    },
    writeStates() {
      for (const lane of lanes.values()) lane.writeState()
    },
    measure: () => [...lanes.values()].map((lane) => lane.measure()),
    caughtUp: async (senderId) => lanes.get(senderId)?.caughtUp(),
    release: async (key) => find(key)?.release(),
    releaseIdle(count) {
      const idle = [...lanes.values()].flatMap((lane) => {
        const since = lane.idleSince()
        return since === undefined ? [] : [{ lane, since }]
      })
      for (const { lane } of idle.sort((one, other) => one.since - other.since).slice(0, count))
        inBackground(lane.release(), { name: 'releasing an idle lane', logger: options.logger })
    },
    async close() {
      await Promise.all([...lanes.values()].map((lane) => lane.release()))
    },
  }
}
