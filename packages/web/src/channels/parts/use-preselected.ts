import { useEffect, useRef } from 'react'

/** Applies a choice made elsewhere once it is loaded, unless something else was chosen here. */
export function usePreselected<Chosen extends { _id: string }>(
  chosen: Chosen | undefined,
  take: (chosen: Chosen) => void,
) {
  const taken = useRef<string>(undefined)
  useEffect(() => {
    if (taken.current === chosen?._id) return
    taken.current = chosen?._id
    if (chosen) take(chosen)
  })
}
