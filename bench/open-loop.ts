/** An open loop: calls start at fixed times, so time spent in a queue is part of their latency. */

export type Mix = { name: string; share: number; call(turn: number): Promise<void> }[]

/** Latencies in milliseconds by call name, measured from the scheduled start. */
export type Latencies = Map<string, number[]>

/** Shares are per hundred calls. Rejects with the first error after all calls have ended. */
export async function openLoop(
  mix: Mix,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Latencies> {
  const turns = interleave(mix)
  const latencies: Latencies = new Map(mix.map(({ name }) => [name, []]))
  const begin = performance.now()
  const pending: Promise<void>[] = []
  const failures: unknown[] = []
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const due = begin + (turn * 1000) / perSecond
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    const kind = turns[turn % turns.length]
    if (!kind) continue
    pending.push(
      kind.call(turn).then(
        () => void latencies.get(kind.name)?.push(performance.now() - due),
        (error: unknown) => void failures.push(error),
      ),
    )
  }
  await Promise.all(pending)
  if (failures.length > 0) throw failures[0]
  return latencies
}

/** Distributes each kind evenly over a hundred turns. */
function interleave(mix: Mix): Mix {
  return mix
    .flatMap((kind) => Array.from({ length: kind.share }, (_, index) => ({ kind, at: (index + 0.5) / kind.share })))
    .sort((one, other) => one.at - other.at)
    .map(({ kind }) => kind)
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
