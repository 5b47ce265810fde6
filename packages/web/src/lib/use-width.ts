import { useCallback, useRef, useState } from 'react'

/** The current width of an element: `const [box, width] = useWidth()`. */
export function useWidth(fallback = 600): [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(fallback)
  const observer = useRef<ResizeObserver>(undefined)
  const box = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect()
    if (!element) return
    setWidth(element.clientWidth)
    observer.current = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.current.observe(element)
  }, [])
  return [box, width]
}
