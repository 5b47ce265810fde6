import type { ReactNode } from 'react'

export function DetailsSection({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section className="border-t border-border py-3.5 text-dense last:pb-0">
      <h3 className="mb-2 font-medium">
        {title} {count === undefined ? null : <span className="font-normal text-muted-foreground">{count}</span>}
      </h3>
      {children}
    </section>
  )
}
