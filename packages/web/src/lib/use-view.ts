import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { readView, writeView, type View, type ViewState } from './url-state.ts'
import type { Search } from './search.ts'

type Change = { replace?: boolean }

/** Screen state in the URL: `const [view, setView] = useView(campaignsView)`. Typing replaces the history entry, other changes push one. */
export function useView<Of extends View>(
  view: Of,
): [ViewState<Of>, (patch: Partial<ViewState<Of>>, change?: Change) => void] {
  const navigate = useNavigate()
  // While the next screen loads, the URL already belongs to it; this one keeps its last state.
  const isLeaving = useRouterState({
    select: ({ location, resolvedLocation }) => resolvedLocation?.pathname !== location.pathname,
  })
  const drawnWith = useSearch({ strict: false })
  const present = useRouterState({ select: ({ location }) => location.search })
  // The router stores queries as returned by our own parse function: flat texts.
  const state = readView(view, (isLeaving ? drawnWith : present) as Search)

  function setView(patch: Partial<ViewState<Of>>, { replace = false }: Change = {}) {
    void navigate({
      to: '.',
      // The router has no type of this state; it is what `readView` reads.
      search: (current: Search) => writeView(view, { ...readView(view, current), ...patch }) as never,
      replace,
      resetScroll: false,
    })
  }
  return [state, setView]
}
