import clsx from 'clsx'
import type { ReactNode } from 'react'

type CardProps = { title: ReactNode; caption?: ReactNode; actions?: ReactNode; className?: string; children: ReactNode }

/** A framed dashboard region with a heading. */
export function Card({ title, caption, actions, className, children }: CardProps) {
  return (
    <section className={clsx('min-w-0 rounded-lg border border-border bg-card', className)}>
      <header className="flex min-h-12 items-center gap-2 py-2 pr-2 pl-4">
        <h2 className="min-w-0 truncate font-semibold tracking-[-0.008em]">{title}</h2>
        {caption ? (
          <span className="shrink-999 truncate text-dense text-muted-foreground max-md:hidden">{caption}</span>
        ) : null}
        {actions ? <div className="ml-auto flex shrink-0 items-center gap-1">{actions}</div> : null}
      </header>
      {children}
    </section>
  )
}
