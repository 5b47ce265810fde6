import { useState } from 'react'

type Errors = Record<string, string>
type Refused = { errors: Errors; values: object }

/** The errors of a form by the path of their field. Each is shown as long as the field has the value that was submitted. */
export function useFieldErrors(values: object): { errors: Errors; setErrors: (errors: Errors) => void } {
  const [refused, setRefused] = useState<Refused>({ errors: {}, values })
  return {
    errors: unchangedErrors(refused, values),
    setErrors: (errors) => setRefused({ errors, values }),
  }
}

export function unchangedErrors({ errors, values: before }: Refused, now: object): Errors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => valueAt(before, path) === valueAt(now, path)))
}

/** Of a path such as `emails.0.text`. */
function valueAt(values: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => Object(value)[key], values)
}
