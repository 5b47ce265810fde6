import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBrand } from '../lib/brand.ts'

/** The privacy policy, the certification mention and, where the brand names them, its ways to be asked. */
export function LegalLinks() {
  const brand = useBrand()
  const privacy = brand?.privacyUrl
  return (
    <>
      {privacy ? (
        <Outside href={privacy}>Privacy policy</Outside>
      ) : (
        <Link to="/privacy" className="hover:text-foreground">
          Privacy policy
        </Link>
      )}
      <Link to="/security" className="hover:text-foreground">
        {brand?.certification ? brand.certification : 'Security and certifications'}
      </Link>
      {brand?.supportUrl ? <Outside href={brand.supportUrl}>Help</Outside> : null}
      {brand?.supportEmail ? (
        <a href={`mailto:${brand.supportEmail}`} className="hover:text-foreground">
          {brand.supportEmail}
        </a>
      ) : null}
    </>
  )
}

function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="hover:text-foreground">
      {children}
    </a>
  )
}
