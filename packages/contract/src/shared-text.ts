/** Texts that templates of several channels share: variables are `{{first_name}}`. */
const variable = /\{\{([^{}]*)\}\}/g
const variableName = /^[a-z][a-z0-9_]{0,39}$/

export type SharedPiece = string | { variable: string }

/** Splits a shared text at its variables. */
export function parseSharedText(text: string): SharedPiece[] {
  const pieces: SharedPiece[] = []
  let end = 0
  for (const match of text.matchAll(variable)) {
    if (match.index > end) pieces.push(text.slice(end, match.index))
    pieces.push({ variable: match[1] ?? '' })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push(text.slice(end))
  return pieces
}

/** The names of the variables in order of appearance, repeated ones included. */
export function listSharedVariables(text: string): string[] {
  return parseSharedText(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.variable]))
}

/** Why a shared text cannot be written as a template; undefined if it can. Every channel accepts these names. */
export function findSharedTextProblem(text: string): string | undefined {
  const bad = listSharedVariables(text).find((name) => !variableName.test(name))
  if (bad !== undefined)
    return `{{${bad}}} is not a variable: use small letters, digits and underscores, such as {{first_name}}`
  const pieces = parseSharedText(text).flatMap((piece) => (typeof piece === 'string' ? [piece] : []))
  if (pieces.some((piece) => /\{\{|\}\}/.test(piece))) return 'A variable is incomplete: write {{first_name}}'
  return text.trim() !== '' && pieces.every((piece) => piece.trim() === '')
    ? 'Enter some fixed text: variables alone are not accepted'
    : undefined
}
