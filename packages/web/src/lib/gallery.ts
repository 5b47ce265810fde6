import type { ReactNode } from 'react'

/** What a `*.gallery.tsx` exports as `gallery`: a component in each of its states, by name. */
export type Gallery = { title: string; states: Record<string, () => ReactNode> }
