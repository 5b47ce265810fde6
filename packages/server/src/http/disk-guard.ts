import { statfs } from 'node:fs/promises'
import type { Endpoint } from '@carillon/contract/endpoint'
import { Problem } from '../lib/problem.ts'

/** Free share of the disk, 0 to 1; undefined if the system does not report it. */
export type ReadFreeShare = (directory: string) => Promise<number | undefined>

export const readFreeShare: ReadFreeShare = async (directory) => {
  const disk = await statfs(directory).catch(() => undefined)
  return disk && disk.blocks > 0 ? disk.bavail / disk.blocks : undefined
}

/** Below this, uploads and new campaigns are rejected and the process is not ready. */
const lowShare = 0.1
/** Below this, all writes are rejected except those that free space, stop sending, or sign in and out. */
const criticalShare = 0.05

/** Whether there is enough free disk space for uploads. */
export async function hasRoom(directory: string, read: ReadFreeShare = readFreeShare): Promise<boolean> {
  const share = await read(directory)
  return share === undefined || share >= lowShare
}

export type DiskGuard = { assertRoom(endpoint: Endpoint): Promise<void> }

const rememberedMs = 1000

/** Reserves disk space for callbacks, opt-outs and the database. */
export function createDiskGuard({
  directory,
  read = readFreeShare,
}: {
  directory: string
  read?: ReadFreeShare | undefined
}): DiskGuard {
  let remembered: { until: number; share: Promise<number | undefined> } | undefined
  const freeShare = () => {
    const now = Date.now()
    if (!remembered || remembered.until <= now) remembered = { until: now + rememberedMs, share: read(directory) }
    return remembered.share
  }

  return {
    async assertRoom(endpoint) {
      if (/^(GET|DELETE) /.test(endpoint.route) || endpoint.onLowDisk === 'accept') return
      const share = await freeShare()
      if (share === undefined || share >= lowShare) return
      if (endpoint.files || endpoint.onLowDisk === 'refuse')
        throw new Problem(
          'disk_full',
          'Less than 10 % of the server’s disk is free: uploads and new campaigns are rejected until space is freed',
        )
      if (share < criticalShare)
        throw new Problem(
          'disk_full',
          'Less than 5 % of the server’s disk is free: changes are rejected until space is freed',
        )
    },
  }
}
