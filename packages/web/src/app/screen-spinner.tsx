import { Spinner } from '../ui/spinner.tsx'

/** While the code of a screen is on its way. */
export function ScreenSpinner() {
  return (
    <div role="status" className="grid min-h-[50dvh] flex-1 place-items-center first:last:min-h-dvh">
      <Spinner className="size-6! text-muted-foreground" />
      <span className="sr-only">Loading</span>
    </div>
  )
}
