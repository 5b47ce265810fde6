import { useEffect, useRef } from 'react'

/** Takes over, once, what was chosen on another screen: when it is loaded, and while nothing else was chosen here. */
export function useTakenOver<Chosen>(chosen: Chosen | undefined, take: (chosen: Chosen) => void) {
  const isTaken = useRef(false)
  useEffect(() => {
    if (chosen === undefined || isTaken.current) return
    isTaken.current = true
    take(chosen)
  })
}
