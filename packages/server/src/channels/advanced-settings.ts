import type { z } from 'zod'

/** Settings most accounts never change; the form hides them by default. */
export function markAdvanced<Shape extends z.core.$ZodLooseShape>(settings: Shape): Shape {
  const marked = Object.entries(settings).map(([name, setting]: [string, z.ZodType]) => [
    name,
    setting.meta({ ...setting.meta(), advanced: true }),
  ])
  // The same names with the same types, each said to be rare.
  return Object.fromEntries(marked) as Shape
}
