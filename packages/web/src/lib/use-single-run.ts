import { useState } from 'react'
import { Presses } from './presses.ts'

type Press = { preventDefault: () => void }

/**
 * For a form or button that makes its calls itself, such as the forms before sign-in: a press with the same input while
 * the one before it runs, or right after it, is ignored. Signed-in screens write through `useApiWrite`.
 */
export function useSingleRun(input: unknown, work: () => Promise<unknown>): (press?: Press) => void {
  const [presses] = useState(() => new Presses())
  return (press) => {
    press?.preventDefault()
    void presses.run(input, work)
  }
}
