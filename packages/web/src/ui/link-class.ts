/** A word that links inside prose. */
export const linkClass =
  'text-brand-text underline decoration-[color-mix(in_oklab,var(--brand-text)_40%,transparent)] underline-offset-3 hover:decoration-current'

/** A number that leads to what it counts. */
export const figureLinkClass =
  'rounded-xs underline decoration-[color-mix(in_oklab,currentColor_35%,transparent)] underline-offset-3 hover:text-brand-text hover:decoration-current'
