import type { CannedReply } from '@carillon/contract/inbox-settings'

/** Replies whose shortcut or text contains the letters of the query in their order, the best match first. */
export function findCanned(replies: readonly CannedReply[], query: string): CannedReply[] {
  const wanted = query.toLowerCase()
  return replies
    .flatMap((reply) => {
      const score = scoreOf(reply, wanted)
      return score === undefined ? [] : [{ reply, score }]
    })
    .sort((a, b) => a.score - b.score || a.reply.shortcut.localeCompare(b.reply.shortcut))
    .map(({ reply }) => reply)
}

function scoreOf({ shortcut, text }: CannedReply, wanted: string): number | undefined {
  const name = shortcut.toLowerCase()
  if (name.startsWith(wanted)) return 0
  if (name.includes(wanted)) return 1
  const spread = spreadOf(name, wanted)
  if (spread !== undefined) return 2 + spread / 1000
  return text.toLowerCase().includes(wanted) ? 10 : undefined
}

/** How far apart the letters of the query are in the name; undefined if they are not all in it, in order. */
function spreadOf(name: string, wanted: string): number | undefined {
  let from = 0
  let first: number | undefined
  for (const letter of wanted) {
    const found = name.indexOf(letter, from)
    if (found < 0) return undefined
    first ??= found
    from = found + 1
  }
  return from - (first ?? 0)
}

/** The word at the caret that begins with a sign, such as `/deliv` at the beginning or after a space. */
export function wordAt(text: string, caret: number, sign: '/' | '@'): { from: number; query: string } | undefined {
  const before = text.slice(0, caret)
  const found = (sign === '/' ? /(?:^|\s)\/([\p{L}\p{M}\d_-]{0,40})$/u : /(?:^|\s)@([\p{L}\p{M}\d ._-]{0,40})$/u).exec(
    before,
  )
  if (!found) return undefined
  const query = found[1] ?? ''
  return { from: caret - query.length - 1, query }
}
