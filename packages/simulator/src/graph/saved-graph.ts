import { persistState, type Saving } from '../saved-state.ts'
import type { Graph } from './graph.ts'
import type { MetaSnapshot } from './meta.ts'
import { resetGraph } from './reset-graph.ts'

/** Restores the simulated Meta from a file and keeps the file updated. */
export function persistGraph(graph: Graph, file: string): Saving {
  return persistState<MetaSnapshot>({
    file,
    version: 1,
    snapshot: () => graph.meta.snapshot(),
    restore(saved) {
      graph.meta.restore(saved)
      resetGraph(graph)
    },
  })
}
