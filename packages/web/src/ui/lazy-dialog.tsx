import { lazy, Suspense, type ComponentType } from 'react'
import { loadCode } from '../lib/load-code.ts'

/** A dialog whose code is loaded when it is first opened. `lazyDialog(() => import('./a.tsx').then(({ A }) => A))` */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Dialog = lazy(async () => ({ default: await loadCode(load) }))
  return function LazyDialog(props: Props) {
    return (
      <Suspense fallback={<span aria-busy="true" hidden />}>
        <Dialog {...props} />
      </Suspense>
    )
  }
}
