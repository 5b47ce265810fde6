import { loadCode } from '../../lib/load-code.ts'
import { lazy, Suspense } from 'react'
import { useSupportPanel } from '../../lib/support.ts'

const SupportPanel = lazy(async () => ({
  default: (await loadCode(() => import('../../features/support/support-panel.tsx'))).SupportPanel,
}))

/** The panel of support and feedback; its code is loaded when it is first wanted. */
export function Support() {
  const panel = useSupportPanel()
  if (!panel) return null
  return (
    <Suspense>
      <SupportPanel panel={panel} />
    </Suspense>
  )
}
