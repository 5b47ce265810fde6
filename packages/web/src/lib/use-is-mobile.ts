import { mobileBreakpoint } from './constants.ts'
import { useSyncExternalStore } from 'react'

/** Below 768 px, tables become cards and the sidebar a drawer. */
export function useIsMobile(): boolean {
  return useMedia(`(max-width: ${mobileBreakpoint - 1}px)`)
}

/** From 1024 px there is room for a second column. */
export function useIsWide(): boolean {
  return useMedia('(min-width: 1024px)')
}

/** Whether the window matches a media query. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
