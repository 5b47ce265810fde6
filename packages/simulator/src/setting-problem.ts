type Setting = number | boolean | string | [number, number]

/** The reason a change of settings is rejected; undefined if it is allowed. */
export function settingProblem(
  defaults: Readonly<Record<string, Setting>>,
  changes: Record<string, unknown>,
): string | undefined {
  for (const [name, value] of Object.entries(changes)) {
    const standard = Object.hasOwn(defaults, name) ? defaults[name] : undefined
    if (standard === undefined) return `There is no setting ${name}`
    if (Array.isArray(standard)) {
      if (!isRange(value)) return `${name} must be two numbers, the smaller first`
    } else if (typeof value !== typeof standard) return `${name} must be a ${typeof standard}`
    else if (typeof value === 'number' && !(value >= 0)) return `${name} must be at least 0`
  }
  return undefined
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [least, most]: unknown[] = value
  return typeof least === 'number' && typeof most === 'number' && least <= most
}
