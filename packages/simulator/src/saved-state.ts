import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'

const intervalMs = 1000

export type SavedState<Snapshot> = {
  file: string
  /** Files of other versions are ignored. */
  version: number
  snapshot: () => Snapshot
  restore: (snapshot: Snapshot) => void
}

export type Saving = {
  /** Writes the file if the state has changed. */
  save: () => void
  /** Writes the file and stops. */
  stop: () => void
}

/** Restores state from a file and writes the file every second. */
export function persistState<Snapshot>({ file, version, snapshot, restore }: SavedState<Snapshot>): Saving {
  const saved = readSaved<Snapshot>(file, version)
  if (saved) restore(saved)
  let written: Buffer | undefined
  function save() {
    const bytes = serialize({ version, snapshot: snapshot() })
    if (written?.equals(bytes)) return
    writeFileSync(`${file}.new`, bytes, { mode: 0o600 })
    renameSync(`${file}.new`, file)
    written = bytes
  }
  /** A temporarily full disk must not stop the simulator. */
  function trySave() {
    try {
      save()
    } catch (error) {
      process.stderr.write(`The simulator could not save its state: ${String(error)}\n`)
    }
  }
  save()
  const timer = setInterval(trySave, intervalMs)
  timer.unref()
  return {
    save: trySave,
    stop() {
      clearInterval(timer)
      save()
    },
  }
}

function readSaved<Snapshot>(file: string, version: number): Snapshot | undefined {
  try {
    // Written by `save` above, as the version shows.
    const saved = deserialize(readFileSync(file)) as { version: number; snapshot: Snapshot }
    return saved.version === version ? saved.snapshot : undefined
  } catch {
    return undefined
  }
}
