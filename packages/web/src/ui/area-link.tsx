import { useNavigate, useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { areaPrefix } from '../lib/areas.ts'
import { useUser } from '../lib/session.ts'
import { stringifySearch, type Search } from '../lib/search.ts'

type AreaLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path inside the reader's own area, such as `campaigns`; empty for its front page. */
  to: string
  /** The screen's state, from `writeView`. */
  search?: Search
}

/**
 * A link inside the area of whoever reads it: the same screen has another address for each role. A plain anchor, because
 * the router's own would mark every parent of the current place as current.
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

/** Turns a path inside the area into a whole one, for `navigate`. */
export function useAreaAddress(): (to: string) => string {
  const user = useUser()
  const prefix = user ? areaPrefix[user.type] : ''
  return (to) => (to ? `${prefix}/${to}` : prefix || '/')
}

type GoOptions = {
  /** What was changed here is saved: whoever guards against leaving has nothing to ask. */
  isSaved?: boolean
}

/** Goes to a place of the reader's own area. */
export function useGo(): (to: string, search?: Search, options?: GoOptions) => void {
  const navigate = useNavigate()
  const addressOf = useAreaAddress()
  // The router knows no route's state by type: each screen reads its own from flat texts.
  return (to, search = {}, { isSaved = false } = {}) =>
    void navigate({ to: addressOf(to), search: search as never, ignoreBlocker: isSaved })
}

/** Other clicks open tabs and windows, which is the browser's business. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
