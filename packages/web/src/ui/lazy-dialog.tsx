import type { ComponentType } from 'react'
import { lazyPart } from '../lib/lazy-part.tsx'

/** A dialog whose code is loaded when it is first opened. `lazyDialog(() => import('./a.tsx').then(({ A }) => A))` */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazyPart(load, <span aria-busy="true" hidden />)
}
