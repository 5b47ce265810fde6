/** Import cycles: Tarjan's strongly connected components with more than one file. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  function enter(file: string) {
    order.set(file, order.size)
    low.set(file, order.size - 1)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) enter(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(file) !== order.get(file)) return
    const ring = stack.splice(stack.indexOf(file))
    if (ring.length > 1) cycles.push(ring)
  }

  for (const file of graph.keys()) if (!order.has(file)) enter(file)
  return cycles
}
