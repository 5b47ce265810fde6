import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { loadCode } from './load-code.ts'

/** A component whose code is loaded when it is first shown; suspends until then. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadCode(load) }))
}

/** The same with its own fallback. `lazyPart(() => import('./a.tsx').then(({ A }) => A))` */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Part = lazyComponent(load)
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    )
  }
}
