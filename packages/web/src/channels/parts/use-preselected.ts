import { useEffect, useRef } from 'react'

/** Applies a choice made on another screen once it is loaded, unless something else was chosen here. */
export function usePreselected<Chosen>(chosen: Chosen | undefined, take: (chosen: Chosen) => void) {
  const hasRun = useRef(false)
  useEffect(() => {
    if (chosen === undefined || hasRun.current) return
    hasRun.current = true
    take(chosen)
  })
}
