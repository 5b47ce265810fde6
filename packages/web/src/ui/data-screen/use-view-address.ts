import type { SavedView } from '@carillon/contract/saved-views'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { listView } from '../../lib/list-view.ts'
import { parseSearch, stringifySearch } from '../../lib/search.ts'

/** Not part of a view: the page, and the open row. */
const passingOfLists: readonly string[] = [listView.page.letter, listView.openId.letter]

/** The list's state in the URL, as stored in a view; without the passing letters. */
export function useViewAddress(passing: readonly string[] = passingOfLists) {
  const navigate = useNavigate()
  const query = useRouterState({ select: ({ location }) => queryOf(location.search, passing) })
  return {
    query,
    shows: (other: string) => queryOf(parseSearch(other), passing) === query,
    open(next: string, { replace = false }: { replace?: boolean } = {}) {
      // The router knows no route's state by type; every list reads its own from this.
      void navigate({ to: '.', search: parseSearch(next) as never, replace, resetScroll: false })
    },
  }
}

/** Applies the default view once, if the URL contains no other state. */
export function useDefaultView(views: readonly SavedView[] | undefined, apply: (view: SavedView) => void) {
  const isPlain = useRouterState({ select: ({ location }) => Object.keys(location.search).length === 0 })
  const isDecided = useRef(false)
  useEffect(() => {
    if (isDecided.current) return
    if (!isPlain) isDecided.current = true
    if (!isPlain || !views) return
    isDecided.current = true
    const preferred = views.find(({ isDefault }) => isDefault)
    if (preferred) apply(preferred)
  })
}

function queryOf(search: Record<string, unknown>, passing: readonly string[]): string {
  const kept = Object.entries(search).filter(([key]) => !passing.includes(key))
  return stringifySearch(Object.fromEntries(kept.toSorted(([one], [other]) => one.localeCompare(other)))).slice(1)
}
