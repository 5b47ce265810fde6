import type { Graph } from './graph.ts'
import { sendToReview } from './template-life.ts'

/** Forgets what was sent; templates stay, and those under review are reviewed anew, for their delays were forgotten. */
export function resetGraph(graph: Graph) {
  graph.reset()
  for (const template of graph.meta.templates.values())
    if (template.status === 'PENDING') sendToReview(graph, template, { isEdit: false })
}
