import { useSupportPanel } from '../../lib/support.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'

const SupportPanel = lazyDialog(() =>
  import('../../features/support/support-panel.tsx').then((code) => code.SupportPanel),
)

/** The panel for support and feedback, loaded on first use. */
export function Support() {
  const panel = useSupportPanel()
  return panel ? <SupportPanel panel={panel} /> : null
}
