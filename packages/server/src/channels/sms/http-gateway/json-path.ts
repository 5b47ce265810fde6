/** One step of a path: a property, an index, or all indexes. */
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

/** A value with its ancestors, the nearest first. */
export type Found = { value: unknown; around: unknown[] }

/** All values that a path matches; several with `[*]`. */
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
    // Array.isArray does not narrow the element type.
    'index' in step ? (Array.isArray(value) ? (value as unknown[])[step.index] : undefined) : property(value, step.name)
  return next === undefined ? [] : [{ value: next, around: [value, ...around] }]
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? // An object that is not an array and has the property itself.
      (value as Record<string, unknown>)[name]
    : undefined
}

/** The text or number at a path. A leading `^` starts at the parent, two at the grandparent. */
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
