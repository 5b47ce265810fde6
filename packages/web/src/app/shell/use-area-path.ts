import { useRouterState } from '@tanstack/react-router'

/** The path inside the area, without its prefix. */
export function useAreaPath(): string {
  return useRouterState({
    select: ({ location }) => location.pathname.replace(/\/+$/, '').split('/').slice(2).join('/'),
  })
}
