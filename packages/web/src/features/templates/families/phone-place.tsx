import type { CSSProperties, ReactNode } from 'react'

type PhonePlaceProps = { scale: number; isPending: boolean; children: ReactNode }

/** The place of a phone: reserved while its message loads. */
export function PhonePlace({ scale, isPending, children }: PhonePlaceProps) {
  const style: CSSProperties & Record<'--phone-scale', number> = { '--phone-scale': scale }
  if (children === null && isPending) return <div aria-busy="true" className="phone-fit" style={style} />
  return children
}
