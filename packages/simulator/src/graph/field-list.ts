import type { Row } from './objects.ts'

export type RequestedField = {
  name: string
  /** Modifiers after dots: `analytics.start(1).end(2)`. */
  filters: Record<string, string>
}

/** The `fields` parameter, split at commas outside brackets. */
export function parseFields(text: string | undefined): RequestedField[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  return cutOutside(text, ',').map((each) => {
    const [head = '', ...filters] = cutOutside(each.trim(), '.')
    const pairs = filters.map((filter): [string, string] => {
      const open = filter.indexOf('(')
      return open < 0 ? [filter, ''] : [filter.slice(0, open), filter.slice(open + 1, filter.lastIndexOf(')'))]
    })
    return { name: head.replace(/[{(].*$/s, ''), filters: Object.fromEntries(pairs) }
  })
}

function cutOutside(text: string, mark: string): string[] {
  const pieces: string[] = []
  let depth = 0
  let piece = ''
  for (const character of text) {
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    if (character === mark && depth === 0) {
      pieces.push(piece)
      piece = ''
    } else piece += character
  }
  return [...pieces, piece].filter((each) => each.trim() !== '')
}

/** Parses a list as `[1,"two"]`, `["one"]` or `one,two`. */
export function parseList(text: string | undefined): string[] {
  if (text === undefined || text === '') return []
  return text
    .replaceAll(/^\[|\]$/g, '')
    .split(',')
    .map((each) => each.trim().replaceAll(/^["']|["']$/g, ''))
    .filter((each) => each !== '')
}

/** The requested fields of an object and its id; the default fields if none are requested. */
export function project(whole: Row, fields: RequestedField[] | undefined, standard: readonly string[]): Row {
  const names = fields?.map(({ name }) => name) ?? standard
  const shown: Row = {}
  for (const name of names) if (whole[name] !== undefined) shown[name] = whole[name]
  return { ...shown, id: whole.id }
}
