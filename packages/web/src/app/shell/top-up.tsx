import { useTopUp } from '../../lib/top-up.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'

const TopUpDialog = lazyDialog(() => import('./top-up-dialog.tsx').then((code) => code.TopUpDialog))

/** The dialog that asks for balance; its code is loaded when it is first wanted. */
export function TopUp() {
  const asked = useTopUp()
  return asked ? <TopUpDialog {...asked} /> : null
}
