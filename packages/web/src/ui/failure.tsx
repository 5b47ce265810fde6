import { CloudOff, OctagonX, RotateCw } from 'lucide-react'
import { CallError } from '../lib/call.ts'
import { useConnected } from '../lib/connection.ts'
import { formatTime } from '../lib/format.ts'
import { Button } from './button.tsx'
import { copy } from './copy.ts'
import { toast } from './toast.tsx'

type FailureProps = {
  error: Error
  onRetry?: () => void
  /** When the data below was loaded, if any. */
  staleSince?: number | undefined
}

/** A failed load: message and actions. Stale data may remain below it. */
export function Failure({ error, onRetry, staleSince }: FailureProps) {
  const isConnected = useConnected()
  // The offline bar is shown already; stale data stays, dimmed.
  if (!isConnected && error instanceof CallError && error.code === 'network') return staleSince ? null : <Offline />
  return (
    <div
      role="alert"
      className="border-y border-[color-mix(in_oklab,var(--destructive)_25%,transparent)] bg-danger-muted text-danger-text"
    >
      <div className="flex min-h-12 flex-wrap items-center gap-2 px-4 py-2">
        <OctagonX aria-hidden className="size-4" />
        <p className="min-w-0 flex-1 basis-40 font-medium">{error.message}</p>
        <Button variant="bad" size="tool" onClick={() => copyDetails(error)}>
          Copy details
        </Button>
        {onRetry ? (
          <Button size="tool" className="text-foreground" onClick={onRetry}>
            <RotateCw aria-hidden /> Retry
          </Button>
        ) : null}
      </div>
      {staleSince ? (
        <p className="border-t border-line bg-background px-4 py-2 text-dense text-muted-foreground">
          Showing data from {formatTime(staleSince)}
        </p>
      ) : null}
    </div>
  )
}

function Offline() {
  return (
    <p role="status" className="flex min-h-12 items-center gap-2 px-4 py-2 text-muted-foreground">
      <CloudOff aria-hidden className="size-4" /> Offline. This loads once the connection is back.
    </p>
  )
}

function copyDetails(error: Error) {
  const details = { message: error.message, ...Object.fromEntries(Object.entries(error)), at: new Date().toISOString() }
  copy(JSON.stringify(details, null, 2), () => toast.success('Details copied'))
}
