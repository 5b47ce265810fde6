import { useIsMutating } from '@tanstack/react-query'
import { useStillWorking } from '../../lib/use-still-working.ts'
import { Spinner } from '../../ui/spinner.tsx'

/** Progress of slow writes that have no button to show it, such as switches and menu items. */
export function LongWrites() {
  const isLong = useStillWorking(useIsMutating() > 0)
  if (!isLong) return null
  return (
    <p
      role="status"
      className="fixed bottom-6 left-1/2 z-40 flex h-10 -translate-x-1/2 items-center gap-2 rounded-lg border border-border bg-popover px-3.5 text-popover-foreground shadow-3 [:root:has([data-still-working])_&]:hidden"
    >
      <Spinner /> Still working…
    </p>
  )
}
