import { useEffect } from 'react'
import { useSession } from '../../lib/session.ts'

/** Marks an impersonation: a frame around the window and a ring around the favicon. */
export function ImpersonationFrame() {
  const impersonating = useSession().impersonation !== null
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (icon) icon.href = impersonating ? '/favicon-visiting.svg' : '/favicon.svg'
  }, [impersonating])
  if (!impersonating) return null
  return <div aria-hidden className="pointer-events-none fixed inset-0 z-60 border-3 border-warning" />
}
