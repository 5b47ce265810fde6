import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type PendingEmailProps = {
  email: string
  /** Formatted expiry of the mailed link. */
  expires: string
  isBusy: boolean
  error: string | undefined
  onResend: () => void
  onCancel: () => void
}

/** A new e-mail address pending confirmation. */
export function PendingEmail({ email, expires, isBusy, error, onResend, onCancel }: PendingEmailProps) {
  return (
    <div className="flex flex-col gap-2">
      <Notice tone="info">
        <div className="flex flex-col gap-2 py-0.5">
          <p>
            Waiting for confirmation: <b className="[overflow-wrap:anywhere]">{email}</b>. The link expires {expires}.
          </p>
          <div className="flex flex-wrap gap-1">
            <Button size="sm" disabled={isBusy} onClick={onResend}>
              Resend
            </Button>
            <Button size="sm" disabled={isBusy} onClick={onCancel}>
              Cancel change
            </Button>
          </div>
        </div>
      </Notice>
      {error ? <Notice tone="bad">{error}</Notice> : null}
    </div>
  )
}
