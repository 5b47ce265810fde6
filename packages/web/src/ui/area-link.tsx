import { useNavigate, useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { areaPrefix } from '../lib/areas.ts'
import { useUser } from '../lib/session.ts'
import { stringifySearch, type Search } from '../lib/search.ts'

type AreaLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** Path within the user's own area, such as `campaigns`; empty for its start page. */
  to: string
  /** Screen state from `writeView`. */
  search?: Search
}

/**
 * A link within the user's area, since a screen's URL differs by role. A plain anchor, because the router's link would mark
 * every parent of the current page as current.
 */
export function AreaLink({ to, search = {}, onClick, children, ...rest }: AreaLinkProps) {
  const router = useRouter()
  const address = useAreaAddress()(to)
  const go = useGo()
  const preload = () => void router.preloadRoute({ to: address }).catch(() => {})

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    go(to, search)
  }
  return (
    <a
      {...rest}
      href={`${address}${stringifySearch(search)}`}
      onClick={follow}
      onMouseEnter={preload}
      onFocus={preload}
    >
      {children}
    </a>
  )
}

/** Resolves a path within the area, for `navigate`. */
export function useAreaAddress(): (to: string) => string {
  const user = useUser()
  const prefix = user ? areaPrefix[user.type] : ''
  return (to) => (to ? `${prefix}/${to}` : prefix || '/')
}

type GoOptions = {
  /** Skips the unsaved-changes prompt, because the changes are saved. */
  isSaved?: boolean
  /** Replaces the history entry. */
  replace?: boolean
}

/** Navigates within the user's own area. */
export function useGo(): (to: string, search?: Search, options?: GoOptions) => void {
  const navigate = useNavigate()
  const addressOf = useAreaAddress()
  // The router knows no route's state by type: each screen reads its own from flat texts.
  return (to, search = {}, { isSaved = false, replace = false } = {}) =>
    void navigate({ to: addressOf(to), search: search as never, ignoreBlocker: isSaved, replace })
}

/** Other clicks open tabs and windows, handled by the browser. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
