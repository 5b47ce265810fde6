import { LegalLinks } from '../../ui/legal-links.tsx'

/** Hidden by screens that fill the window. */
export function Footer() {
  return (
    <footer className="mt-auto flex min-h-11 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-border py-3 text-caption text-muted-foreground screen-x group-has-data-full-height/frame:hidden">
      <LegalLinks />
    </footer>
  )
}
