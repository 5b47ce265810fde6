import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { nameTab } from '../../lib/title.ts'

/** A public text page. */
export function ReadingPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    nameTab(title)
  }, [title])
  return (
    <div className="min-h-dvh bg-card px-4 pt-5 pb-16 md:p-10">
      <header>
        <Link to="/" className="flex items-center gap-2.5">
          <BrandMark />
        </Link>
      </header>
      <main className="mx-auto mt-14 flex max-w-[68ch] flex-col gap-4 leading-6 [&_h2]:mt-4 [&_h2]:text-section [&_h2]:font-semibold">
        <h1 className="mb-2 text-display font-semibold">{title}</h1>
        {children}
      </main>
    </div>
  )
}
