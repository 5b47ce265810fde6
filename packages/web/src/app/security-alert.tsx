import { ShieldAlert, X } from 'lucide-react'
import { closeSecurityAlert, useSecurityAlert } from '../lib/security-alert.ts'

/** Stays at the top right, above dialogs, until it is closed. */
export function SecurityAlert() {
  const text = useSecurityAlert()
  return (
    <div role="alert" className="pointer-events-none fixed top-4 right-4 left-4 z-90 flex justify-end">
      {text ? (
        <div className="pointer-events-auto flex max-w-110 items-start gap-2.5 rounded-lg border border-[color-mix(in_oklab,var(--destructive)_35%,transparent)] bg-danger-muted py-3 pr-2 pl-3.5 text-danger-text shadow-3">
          <ShieldAlert aria-hidden className="mt-0.5 size-4" />
          <p className="font-medium">{text}</p>
          <button
            type="button"
            aria-label="Close the alert"
            onClick={closeSecurityAlert}
            className="-my-1 grid size-7 shrink-0 place-items-center rounded-md hover:bg-[color-mix(in_oklab,var(--destructive)_12%,transparent)]"
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
      ) : null}
    </div>
  )
}
