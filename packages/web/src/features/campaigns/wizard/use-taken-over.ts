import { useEffect, useRef } from 'react'

/** Applies a choice made on another screen once it is loaded, unless something else was chosen here. */
export function useTakenOver<Chosen>(chosen: Chosen | undefined, take: (chosen: Chosen) => void) {
  const isTaken = useRef(false)
  useEffect(() => {
    if (chosen === undefined || isTaken.current) return
    isTaken.current = true
    take(chosen)
  })
}
