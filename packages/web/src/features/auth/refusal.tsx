import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

type RefusalProps = { text: string; title?: string; hint?: ReactNode }

/** The server's error, above the form's button. */
export function Refusal({ text, title, hint }: RefusalProps) {
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-lg bg-danger-muted px-3.5 py-3 text-danger-text inset-ring inset-ring-[color-mix(in_oklab,var(--destructive)_35%,transparent)]"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4" />
      {title ? (
        <div>
          <b>{title}</b>
          <p>
            {text}
            {hint}
          </p>
        </div>
      ) : (
        <b>{text}</b>
      )}
    </div>
  )
}
