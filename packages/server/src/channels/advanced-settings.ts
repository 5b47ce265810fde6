import type { z } from 'zod'

/** Settings most accounts never change; the form hides them by default. */
export function markAdvanced<Shape extends z.core.$ZodLooseShape>(settings: Shape): Shape {
  const marked = Object.entries(settings).map(([name, setting]: [string, z.ZodType]) => [
    name,
    setting.meta({ ...setting.meta(), advanced: true }),
  ])
  // The same fields with the same types, each marked as advanced.
  return Object.fromEntries(marked) as Shape
}
