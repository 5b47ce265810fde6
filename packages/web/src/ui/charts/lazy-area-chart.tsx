import { loadCode } from '../../lib/load-code.ts'
import { lazy, Suspense, type ComponentProps } from 'react'
import type { AreaChart } from './area-chart.tsx'

const Chart = lazy(async () => ({ default: (await loadCode(() => import('./area-chart.tsx'))).AreaChart }))

/** Loaded when shown, into reserved space. */
export function LazyAreaChart(props: ComponentProps<typeof AreaChart>) {
  return (
    <Suspense fallback={<div aria-busy="true" style={{ height: props.height ?? 220 }} />}>
      <Chart {...props} />
    </Suspense>
  )
}
