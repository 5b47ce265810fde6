import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { readView, writeView, type View, type ViewState } from './url-state.ts'
import type { Search } from './search.ts'

type Change = { replace?: boolean }

/** A screen's state in the address: `const [view, setView] = useView(campaignsView)`. Typing replaces, everything else pushes. */
export function useView<Of extends View>(
  view: Of,
): [ViewState<Of>, (patch: Partial<ViewState<Of>>, change?: Change) => void] {
  const navigate = useNavigate()
  // While the next screen loads, the address is the next screen's already; this one keeps what it was drawn with.
  const isLeaving = useRouterState({
    select: ({ location, resolvedLocation }) => resolvedLocation?.pathname !== location.pathname,
  })
  const drawnWith = useSearch({ strict: false })
  const present = useRouterState({ select: ({ location }) => location.search })
  // The router keeps a query as our own parse function makes it: flat texts.
  const state = readView(view, (isLeaving ? drawnWith : present) as Search)

  function setView(patch: Partial<ViewState<Of>>, { replace = false }: Change = {}) {
    void navigate({
      to: '.',
      // The router knows no route's state by type; this one is what `readView` reads.
      search: (current: Search) => writeView(view, { ...readView(view, current), ...patch }) as never,
      replace,
      resetScroll: false,
    })
  }
  return [state, setView]
}
