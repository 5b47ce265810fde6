import { CircleAlert } from 'lucide-react'

/** Why it was not to be, above the button. */
export function Refusal({ text }: { text: string }) {
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-lg bg-danger-muted px-3.5 py-3 text-danger-text inset-ring inset-ring-[color-mix(in_oklab,var(--destructive)_35%,transparent)]"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4" />
      <b>{text}</b>
    </div>
  )
}
