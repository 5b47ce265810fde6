import type { ReactNode } from 'react'

/** A titled part of a bot's sheet. */
export function Part({ title, help, children }: { title: string; help?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col items-start gap-2">
      <h3 className="text-section font-semibold">{title}</h3>
      {help ? <p className="-mt-1 text-dense text-muted-foreground">{help}</p> : null}
      {children}
    </section>
  )
}
