import type { ReactNode } from 'react'

type QuickstartStepProps = { number: number; title: string; children: ReactNode }

export function QuickstartStep({ number, title, children }: QuickstartStepProps) {
  return (
    <li className="grid gap-x-4 gap-y-3 sm:grid-cols-[1.75rem_minmax(0,1fr)]">
      <span
        aria-hidden
        className="grid size-7 place-items-center rounded-full bg-secondary text-dense font-semibold text-secondary-foreground tabular-nums max-sm:hidden"
      >
        {number}
      </span>
      <section
        aria-label={title}
        className="flex min-w-0 flex-col items-start gap-3 *:max-w-full [&>:not(h2,p)]:w-full"
      >
        <h2 className="pt-0.5 text-section font-semibold">{title}</h2>
        {children}
      </section>
    </li>
  )
}
