/** A word that links inside prose. */
export const linkClass =
  'text-brand-text underline decoration-[color-mix(in_oklab,var(--brand-text)_40%,transparent)] underline-offset-3 hover:decoration-current'
