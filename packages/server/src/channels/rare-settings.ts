import type { z } from 'zod'

/** Settings that most accounts never touch: the form shows them when somebody asks for more. */
export function rarely<Shape extends z.core.$ZodLooseShape>(settings: Shape): Shape {
  const marked = Object.entries(settings).map(([name, setting]: [string, z.ZodType]) => [
    name,
    setting.meta({ ...setting.meta(), advanced: true }),
  ])
  // The same names with the same types, each said to be rare.
  return Object.fromEntries(marked) as Shape
}
