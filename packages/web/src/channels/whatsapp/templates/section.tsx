import type { ReactNode } from 'react'
import { sectionLabels, type Section } from './findings.ts'

type BuilderSectionProps = {
  section: Section
  /** A count next to the title. */
  count?: ReactNode
  aside?: ReactNode
  children: ReactNode
}

/** One of the numbered sections of the builder. */
export function BuilderSection({ section, count, aside, children }: BuilderSectionProps) {
  const id = `section-${section}`
  return (
    <section aria-labelledby={id} className="min-w-0 scroll-mt-16" data-section={section}>
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id={id} className="text-section font-semibold">
          {sectionLabels[section]}
        </h2>
        {count ? <span className="text-dense text-muted-foreground tabular-nums">{count}</span> : null}
        {aside ? <span className="ml-auto flex max-w-full min-w-0 items-center gap-2">{aside}</span> : null}
      </div>
      {children}
    </section>
  )
}
