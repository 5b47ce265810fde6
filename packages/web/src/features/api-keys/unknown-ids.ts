export type Named = { id: string; name: string; detail?: string }

/** The records, and the chosen ones that are not among them by the end of their ids. */
export function withUnknown(options: readonly Named[], chosen: readonly string[]): Named[] {
  const missing = chosen.filter((id) => !options.some((option) => option.id === id))
  return [...options, ...missing.map((id) => ({ id, name: `Unknown …${id.slice(-6)}` }))]
}
