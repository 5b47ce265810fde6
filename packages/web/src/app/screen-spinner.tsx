import { StillWorking } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** Shown while a screen loads, in the middle of the window. */
export function ScreenSpinner() {
  return (
    <div role="status" className="pointer-events-none fixed inset-0 z-10 grid place-items-center">
      <Spinner className="size-6! text-muted-foreground" />
      <span className="sr-only">Loading</span>
      <div className="absolute inset-x-0 top-1/2 mt-4">
        <StillWorking />
      </div>
    </div>
  )
}
