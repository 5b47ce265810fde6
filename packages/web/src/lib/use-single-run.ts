import { useState } from 'react'
import { Presses } from './presses.ts'

type Press = { preventDefault: () => void }

/**
 * For forms that make their calls themselves, such as those before sign-in: a press with the same input is ignored while the
 * previous one runs, or right after it. Signed-in screens use `useApiWrite`.
 */
export function useSingleRun(input: unknown, work: () => Promise<unknown>): (press?: Press) => void {
  const [presses] = useState(() => new Presses())
  return (press) => {
    press?.preventDefault()
    void presses.run(input, work)
  }
}
