import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

/** The database position as seen by one process. */
export type Position = {
  incarnation: string
  counter: number
  /** Epochs of the lanes this process owned, by `organizationId/senderId`. */
  epochs: Readonly<Record<string, number>>
}

/** Stored in DATA_DIR, outside the database. `isCopy`: the file is not the one written here. */
export type StoredPosition = Position & { isCopy: boolean }

const Stored = z.object({
  incarnation: z.uuid(),
  counter: z.number(),
  epochs: z.record(z.string(), z.number()),
  /** The file's own inode and birth time, which differ in a copy. */
  inode: z.string(),
  bornNs: z.string().optional(),
})

export type SendingStateFile = {
  read(): StoredPosition | undefined
  /** Never replaces an incarnation with an older one: several processes may share the folder. */
  write(position: Position): void
}

export async function openSendingStateFile(directory: string): Promise<SendingStateFile> {
  const path = join(directory, 'sending-state.json')
  const keepsBirth = await keepsBirthTimes(directory)

  /** Content and identity of the file from one open call, since another process may replace it at any time. */
  function open(): { stored: z.infer<typeof Stored>; ino: bigint; birthtimeNs: bigint } | undefined {
    let file: number | undefined
    try {
      file = openSync(path, 'r')
      const { ino, birthtimeNs } = fstatSync(file, { bigint: true })
      return { stored: Stored.parse(JSON.parse(readFileSync(file, 'utf8'))), ino, birthtimeNs }
    } catch {
      return undefined
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  return {
    read() {
      const opened = open()
      if (!opened) return undefined
      const { ino, birthtimeNs } = opened
      const { inode, bornNs, ...position } = opened.stored
      // Some network file systems renumber inodes on each mount: the inode counts only without birth time.
      const isCopy = keepsBirth && bornNs !== undefined ? bornNs !== String(birthtimeNs) : inode !== String(ino)
      return { ...position, isCopy }
    },
    write(position) {
      const before = open()?.stored
      const isSame = before?.incarnation === position.incarnation
      const counter = isSame ? Math.max(before.counter, position.counter) : position.counter
      const epochs = isSame ? { ...before.epochs, ...position.epochs } : position.epochs
      replaceFile(path, (file) => {
        const { ino, birthtimeNs } = fstatSync(file, { bigint: true })
        const born = keepsBirth ? { bornNs: String(birthtimeNs) } : {}
        return JSON.stringify({ incarnation: position.incarnation, counter, epochs, inode: String(ino), ...born })
      })
    },
  }
}

/** Atomic: after a crash the file has either the old or the new content. */
function replaceFile(path: string, write: (file: number) => string) {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, write(file))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}

/** File systems without birth time report the time of the last change. */
async function keepsBirthTimes(directory: string): Promise<boolean> {
  const probe = join(directory, `.birth.${process.pid}`)
  closeSync(openSync(probe, 'w', 0o600))
  try {
    await sleep(20)
    chmodSync(probe, 0o644)
    const { birthtimeNs, ctimeNs } = statSync(probe, { bigint: true })
    return birthtimeNs > 0n && birthtimeNs < ctimeNs
  } finally {
    rmSync(probe, { force: true })
  }
}
