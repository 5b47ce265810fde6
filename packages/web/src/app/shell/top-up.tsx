import { useTopUp } from '../../lib/top-up.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'

const TopUpDialog = lazyDialog(() => import('./top-up-dialog.tsx').then((code) => code.TopUpDialog))

/** The top-up request dialog, loaded on first use. */
export function TopUp() {
  const asked = useTopUp()
  return asked ? <TopUpDialog {...asked} /> : null
}
