import { useSyncExternalStore } from 'react'

const narrow = '(max-width: 767px)'

/** Below 768 px tables become cards and the sidebar a drawer. */
export function useIsMobile(): boolean {
  return useSyncExternalStore(listen, () => matchMedia(narrow).matches)
}

function listen(listener: () => void) {
  const query = matchMedia(narrow)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
