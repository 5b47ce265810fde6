/** One step down: a name, a place in a list, or every place in it. */
type Step = { name: string } | { index: number } | 'each'

/** A path such as `data.items[0].id` or `[*].report[*]`, optionally with leading `$.`. Undefined if invalid. */
export function parsePath(path: string): Step[] | undefined {
  const bare = path.replace(/^\$\.?/, '')
  const steps: Step[] = []
  let rest = bare
  while (rest !== '') {
    const match = /^\.?(?:\[(\d{1,4}|\*)\]|([^.[\]*^]{1,100}))/.exec(rest)
    if (!match) return undefined
    const [whole, place, name = ''] = match
    steps.push(place === '*' ? 'each' : place === undefined ? { name } : { index: Number(place) })
    rest = rest.slice(whole.length)
  }
  return steps
}

/** A value found, with the values it was found in, the nearest first. */
export type Found = { value: unknown; around: unknown[] }

/** Everything a path leads to; several where it says `[*]`. */
export function findAll(root: unknown, path: string): Found[] {
  const steps = parsePath(path) ?? [{ name: '' }]
  return steps.reduce<Found[]>(
    (found, step) => found.flatMap((each) => descend(each, step)),
    [{ value: root, around: [] }],
  )
}

function descend({ value, around }: Found, step: Step): Found[] {
  if (step === 'each') return Array.isArray(value) ? value.map((entry: unknown) => ({ value: entry, around })) : []
  const next =
    // Array.isArray knows that it is a list, not of what.
    'index' in step ? (Array.isArray(value) ? (value as unknown[])[step.index] : undefined) : property(value, step.name)
  return next === undefined ? [] : [{ value: next, around: [value, ...around] }]
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? // An object that is no list, with the property of its own.
      (value as Record<string, unknown>)[name]
    : undefined
}

/** The text or number a path leads to. A `^` in front looks in what the value was found in, two in what that was found in. */
export function findText({ value, around }: Found, path: string): string | undefined {
  if (path === '') return undefined
  const up = /^\^*/.exec(path)?.[0].length ?? 0
  const root = up === 0 ? value : around[up - 1]
  const [found] = findAll(root, path.slice(up).replace(/^\./, ''))
  return asText(found?.value)
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
