import { Counter, Gauge, Histogram, register, type Registry } from 'prom-client'

type Metric<Label extends string> = { name: string; help: string; labelNames: readonly Label[] }
type Labels<Label extends string> = Record<Label, string>

/** One value of a labelled metric. */
export type Sample<Label extends string> = { labels: Labels<Label>; value: number }

/** A plain number, because an increment in prom-client takes about 1 µs. It is read on each scrape. */
export type Tally = { count: number }

/** A counter of this process. Returns the tally for the given labels, the same one each time. */
export function createCounter<Label extends string>(
  metric: Metric<Label>,
): (labels: Record<Label, string>) => Tally & { labels: Labels<Label> } {
  const children = createChildren<Label, Tally>(metric, () => ({ count: 0 }))
  const counter: Counter<Label> = new Counter<Label>({
    ...metric,
    registers: [register],
    collect() {
      counter.reset()
      for (const { labels, count } of children.all()) counter.inc(labels, count)
    },
  })
  return children.get
}

export type Distribution = { observe(value: number): void }

/** A histogram of this process, with plain numbers for the same reason. */
export function createHistogram<Label extends string>(
  metric: Metric<Label> & { buckets: readonly number[] },
): (labels: Record<Label, string>) => Distribution {
  const bounds = [...metric.buckets, Number.POSITIVE_INFINITY]
  const children = createChildren(metric, () => createDistribution(bounds))
  const read = async () => ({
    name: metric.name,
    help: metric.help,
    type: 'histogram',
    aggregator: 'sum' as const,
    values: children.all().flatMap(({ labels, values }) => values(metric.name, labels)),
  })
  const histogram = new Histogram<Label>({ ...metric, buckets: [...metric.buckets], registers: [register] })
  Object.assign(histogram, { get: read, getForPromString: read })
  return children.get
}

function createDistribution(bounds: readonly number[]) {
  const counts = new Float64Array(bounds.length)
  let sum = 0
  return {
    observe(value: number) {
      let index = 0
      while (value > (bounds[index] ?? value)) index += 1
      counts[index] = (counts[index] ?? 0) + 1
      sum += value
    },
    values(name: string, labels: Record<string, string>) {
      let count = 0
      const buckets = bounds.map((bound, index) => {
        count += counts[index] ?? 0
        const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound)
        return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
      })
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ]
    },
  }
}

function createChildren<Label extends string, Child extends object>(
  { labelNames }: Metric<Label>,
  create: () => Child,
) {
  const children = new Map<string, Child & { labels: Labels<Label> }>()
  return {
    all: () => [...children.values()],
    get(labels: Labels<Label>) {
      const key = labelNames.map((name) => labels[name]).join('\n')
      const known = children.get(key)
      if (known) return known
      const child = { ...create(), labels }
      children.set(key, child)
      return child
    },
  }
}

/** Maximum time a scrape waits for one value; Prometheus times out after ten seconds. */
const longestReadMs = 2000

/**
 * A gauge read on each scrape. If the value cannot be read, for example without the database, the last known one is
 * reported, and the other metrics are unaffected.
 */
export function addGauge<Label extends string = never>(
  registry: Registry,
  metric: { name: string; help: string; labelNames?: readonly Label[] },
  read: () => number | Sample<Label>[] | Promise<number | Sample<Label>[]>,
): void {
  const gauge: Gauge<Label> = new Gauge<Label>({
    ...metric,
    registers: [registry],
    async collect(): Promise<void> {
      const found = await readInTime(read)
      if (found === undefined) return
      if (typeof found === 'number') return gauge.set(found)
      gauge.reset()
      for (const { labels, value } of found) gauge.set(labels, value)
    },
  })
}

async function readInTime<Value>(read: () => Value | Promise<Value>): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), longestReadMs)
  try {
    return await Promise.race([read(), late.promise])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

/** Caches the result of `read` for `ms`. A failed read is not cached. */
export function readSeldom<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { value: Promise<Value>; until: number } | undefined
  return () => {
    if (last && performance.now() < last.until) return last.value
    const value = read()
    const mine = { value, until: performance.now() + ms }
    last = mine
    value.catch(() => {
      if (last === mine) last = undefined
    })
    return value
  }
}
