import { useRef } from 'react'

/** A double click or a double Enter comes within this time. */
const doublePressMs = 600

type Press = { preventDefault: () => void }

/**
 * For a form or button that makes its calls itself: a press while the one before it runs, or right after it, is ignored.
 * Writes of signed-in screens go through `useApiWrite`, which also gives each write an idempotency key.
 */
export function useSingleRun(work: () => Promise<unknown>): (press?: Press) => void {
  const isRunning = useRef(false)
  const pressedAt = useRef(-Infinity)

  async function run() {
    isRunning.current = true
    try {
      await work()
    } finally {
      isRunning.current = false
    }
  }

  return (press) => {
    press?.preventDefault()
    const isRepeat = performance.now() - pressedAt.current < doublePressMs
    if (isRunning.current || isRepeat) return
    pressedAt.current = performance.now()
    void run()
  }
}
