import { daySeconds, type TemplateTally } from './analytics-counts.ts'
import { parseList } from './field-list.ts'
import type { Call } from './graph.ts'
import { GraphError } from './graph-error.ts'
import type { Waba } from './objects.ts'
import { toText } from './reading.ts'

const lookBackSeconds = 90 * daySeconds
const metrics = ['sent', 'delivered', 'read', 'clicked', 'cost']

/** `GET /{waba_id}/template_analytics`: one point per template and day, including days without messages. */
export function readTemplateAnalytics({ graph, query }: Call, waba: Waba) {
  if (!waba.isEnabledForInsights) throw new GraphError(200007)
  const { start, end, ids, asked } = readQuestion(query)
  const found = new Map<string, TemplateTally>()
  for (const tally of graph.analytics.templateTallies()) found.set(`${tally.day}/${tally.templateId}`, tally)
  const points = ids.flatMap((id) => {
    if (graph.meta.templates.get(id)?.wabaId !== waba.id)
      throw new GraphError(100, { message: `(#100) There is no template ${id} in this account` })
    const days: unknown[] = []
    for (let day = Math.floor(start / daySeconds) * daySeconds; day < end; day += daySeconds)
      days.push(presentPoint(id, day, { tally: found.get(`${day}/${id}`), asked }))
    return days
  })
  return {
    data: [{ granularity: 'DAILY', product_type: 'cloud_api', data_points: points }],
    paging: { cursors: { before: 'MAZDZD', after: 'MAZDZD' } },
  }
}

function readQuestion(query: Record<string, string>) {
  const start = Number(query.start)
  const end = Number(query.end)
  if (!query.start || !query.end || !(start < end))
    throw new GraphError(100, { message: '(#100) start and end must be given in seconds since 1970, start first' })
  if (start < Date.now() / 1000 - lookBackSeconds - daySeconds)
    throw new GraphError(100, { message: '(#100) start lies more than 90 days back' })
  if ((query.granularity ?? 'DAILY').toUpperCase() !== 'DAILY')
    throw new GraphError(100, { message: '(#100) granularity must be DAILY' })
  const ids = parseList(query.template_ids)
  if (ids.length < 1 || ids.length > 10) throw new GraphError(100, { message: '(#100) template_ids must be 1 to 10' })
  const words = parseList(query.metric_types).map((each) => each.toLowerCase())
  const unknown = words.find((each) => !metrics.includes(each))
  if (unknown !== undefined)
    throw new GraphError(100, { message: `(#100) metric_types must be among {${metrics.join(', ')}}` })
  return { start, end, ids, asked: new Set(words.length === 0 ? metrics : words) }
}

function presentPoint(
  id: string,
  day: number,
  { tally, asked }: { tally: TemplateTally | undefined; asked: Set<string> },
) {
  const counts = (['sent', 'delivered', 'read'] as const).filter((name) => asked.has(name))
  return {
    template_id: id,
    start: day,
    end: day + daySeconds,
    ...Object.fromEntries(counts.map((name) => [name, tally?.[name] ?? 0])),
    ...(asked.has('clicked') ? { clicked: presentClicks(tally) } : {}),
    ...(asked.has('cost') ? { cost: presentCost(tally) } : {}),
  }
}

function presentClicks(tally: TemplateTally | undefined) {
  return [...(tally?.clicks ?? [])].map(([key, count]) => {
    const [type, content] = key.split('\n')
    return { type: toText(type), button_content: toText(content), count }
  })
}

function presentCost(tally: TemplateTally | undefined) {
  if (!tally || tally.cost === 0) return []
  const clicks = [...tally.clicks].reduce((sum, [key, count]) => sum + (key.startsWith('url') ? count : 0), 0)
  const rounded = (value: number) => Math.round(value * 10_000) / 10_000
  return [
    { type: 'amount_spent', value: rounded(tally.cost) },
    { type: 'cost_per_delivered', value: rounded(tally.cost / Math.max(1, tally.delivered)) },
    ...(clicks > 0 ? [{ type: 'cost_per_url_button_click', value: rounded(tally.cost / clicks) }] : []),
  ]
}
