import { Problem } from '../lib/problem.ts'
import type { UserActor } from '../actor.ts'

export type Uploader = Pick<UserActor, 'accountId' | 'organizationId'>

/** The uploads in progress in this process. */
export type UploadSlots = {
  /** Rejects with 429 when too many are in progress. The announced bytes count until `release`. */
  take(uploader: Uploader, bytes: number): UploadSlot
}

export type UploadSlot = {
  /** Bytes the organisation has in progress, including this upload. */
  organizationBytes: number
  release(): void
}

const retryAfterSeconds = 5

/** Limits parallel uploads, so that one account cannot use up memory, disk or the slots of others. */
export function createUploadSlots(limits = { account: 4, organization: 12, process: 32 }): UploadSlots {
  const underWay = new Set<Uploader & { bytes: number }>()
  const countOf = (key: 'accountId' | 'organizationId', value: string) =>
    [...underWay].filter((upload) => upload[key] === value).length

  return {
    take({ accountId, organizationId }, bytes) {
      if (
        countOf('accountId', accountId) >= limits.account ||
        countOf('organizationId', organizationId) >= limits.organization ||
        underWay.size >= limits.process
      )
        throw new Problem('too_many_requests', 'Too many uploads at once: try again shortly', {
          retryAfter: retryAfterSeconds,
        })
      const upload = { accountId, organizationId, bytes }
      underWay.add(upload)
      return {
        organizationBytes: [...underWay]
          .filter((other) => other.organizationId === organizationId)
          .reduce((total, other) => total + other.bytes, 0),
        release() {
          underWay.delete(upload)
        },
      }
    },
  }
}
