import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { Graph } from './graph.ts'
import type { MetaSnapshot } from './meta.ts'
import { resetGraph } from './reset-graph.ts'

const intervalMs = 1000
/** Snapshot version; files of other versions are ignored. */
const version = 1

/** Restores the simulated Meta from a file and keeps the file updated. Returns a function that writes the file and stops. */
export function persistGraph(graph: Graph, file: string): () => void {
  const saved = readSaved(file)
  if (saved) {
    graph.meta.restore(saved)
    resetGraph(graph)
  }
  let written: Buffer | undefined
  function save() {
    const bytes = serialize({ version, snapshot: graph.meta.snapshot() })
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

function readSaved(file: string): MetaSnapshot | undefined {
  try {
    // Written by `save` above, as the version shows.
    const saved = deserialize(readFileSync(file)) as { version: number; snapshot: MetaSnapshot }
    return saved.version === version ? saved.snapshot : undefined
  } catch {
    return undefined
  }
}
