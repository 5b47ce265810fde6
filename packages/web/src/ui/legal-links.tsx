import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBrand } from '../lib/brand.ts'

/** Touch target height when stacked. */
const line = 'inline-flex min-h-6 items-center hover:text-foreground'

/** Privacy policy, certification mention and, if the brand sets them, support contacts. */
export function LegalLinks() {
  const brand = useBrand()
  const privacy = brand?.privacyUrl
  return (
    <>
      {privacy ? (
        <Outside href={privacy}>Privacy policy</Outside>
      ) : (
        <Link to="/privacy" className={line}>
          Privacy policy
        </Link>
      )}
      <Link to="/security" className={line}>
        {brand?.certification ? brand.certification : 'Security and certifications'}
      </Link>
      {brand?.supportUrl ? <Outside href={brand.supportUrl}>Help</Outside> : null}
      {brand?.supportEmail ? (
        <a href={`mailto:${brand.supportEmail}`} className={line}>
          {brand.supportEmail}
        </a>
      ) : null}
    </>
  )
}

function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={line}>
      {children}
    </a>
  )
}
