import type { Graph } from './graph.ts'
import { sendToReview } from './template-life.ts'

/** Deletes messages; templates remain, and pending reviews start again. */
export function resetGraph(graph: Graph) {
  graph.reset()
  for (const template of graph.meta.templates.values())
    if (template.status === 'PENDING') sendToReview(graph, template, { isEdit: false })
}
