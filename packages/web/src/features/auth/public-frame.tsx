import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { nameTab } from '../../lib/title.ts'
import { useIsWide } from '../../lib/use-is-mobile.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { LegalLinks } from '../../ui/legal-links.tsx'

const Proof = lazy(async () => ({ default: (await import('./proof.tsx')).Proof }))

type PublicFrameProps = {
  title: string
  children: ReactNode
  /** Next to the form in wide windows; default: one sentence on three channels. */
  aside?: ReactNode
}

/** The frame of public pages: the form, and in wide windows an illustration. */
export function PublicFrame({ title, children, aside }: PublicFrameProps) {
  const isWide = useIsWide()
  useEffect(() => {
    nameTab(title)
  }, [title])

  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(440px,1fr)_minmax(0,1.3fr)] xl:grid-cols-[minmax(520px,5fr)_minmax(0,9fr)]">
      <main className="flex min-h-dvh flex-col bg-card px-4 pt-5 pb-6 md:p-10">
        <div className="mx-auto flex w-full max-w-100 items-center gap-2.5">
          <BrandMark />
        </div>
        <div className="mx-auto mb-auto w-full max-w-100 pt-14 pb-10 md:pt-[clamp(48px,16vh,180px)]">
          <h1 className="mb-8 text-display font-semibold [word-spacing:0.08em]">{title}</h1>
          {children}
        </div>
        <footer className="mx-auto flex w-full max-w-100 flex-wrap gap-x-4 gap-y-1 text-caption text-muted-foreground">
          <LegalLinks />
        </footer>
      </main>
      <aside
        aria-label="One message on three channels"
        className="grid place-items-center overflow-hidden border-l border-border bg-sunken p-8 max-lg:hidden"
      >
        {isWide ? (aside ?? <Suspense>{<Proof />}</Suspense>) : null}
      </aside>
    </div>
  )
}
