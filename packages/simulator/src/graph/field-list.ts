import type { Row } from './objects.ts'

export type AskedField = {
  name: string
  /** What follows with dots: `analytics.start(1).end(2)`. */
  filters: Record<string, string>
}

/** The `fields` parameter, cut at the commas that stand outside of all brackets. */
export function parseFields(text: string | undefined): AskedField[] | undefined {
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

/** `[1,"two"]`, `["one"]` or `one,two`: Graph takes lists in all these forms. */
export function parseList(text: string | undefined): string[] {
  if (text === undefined || text === '') return []
  return text
    .replaceAll(/^\[|\]$/g, '')
    .split(',')
    .map((each) => each.trim().replaceAll(/^["']|["']$/g, ''))
    .filter((each) => each !== '')
}

/** The asked fields of an object, its id always among them; without a question the standard ones. */
export function project(whole: Row, fields: AskedField[] | undefined, standard: readonly string[]): Row {
  const names = fields?.map(({ name }) => name) ?? standard
  const shown: Row = {}
  for (const name of names) if (whole[name] !== undefined) shown[name] = whole[name]
  return { ...shown, id: whole.id }
}
