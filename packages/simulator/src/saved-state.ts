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

/** Restores state from a file and keeps the file updated. Returns a function that writes the file and stops. */
export function persistState<Snapshot>({ file, version, snapshot, restore }: SavedState<Snapshot>): () => void {
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
  save()
  const timer = setInterval(() => {
    // A temporarily full disk must not stop the simulator.
    try {
      save()
    } catch (error) {
      process.stderr.write(`The simulator could not save its state: ${String(error)}\n`)
    }
  }, intervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    save()
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
