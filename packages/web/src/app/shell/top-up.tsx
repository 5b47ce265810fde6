import { loadCode } from '../../lib/load-code.ts'
import { lazy, Suspense } from 'react'
import { useTopUp } from '../../lib/top-up.ts'

const TopUpDialog = lazy(async () => ({ default: (await loadCode(() => import('./top-up-dialog.tsx'))).TopUpDialog }))

/** The dialog that asks for balance; its code is loaded when it is first wanted. */
export function TopUp() {
  const asked = useTopUp()
  if (!asked) return null
  return (
    <Suspense>
      <TopUpDialog {...asked} />
    </Suspense>
  )
}
