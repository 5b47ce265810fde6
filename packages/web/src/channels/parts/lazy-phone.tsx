import { Suspense, type ComponentType, type CSSProperties } from 'react'
import { lazyComponent } from '../../lib/lazy-part.tsx'
import type { SentPhoneProps } from '../channel-campaigns.ts'
import { usualScale } from './sent-phone-scale.ts'

/** A channel's phone, loaded on first use into reserved space. */
export function lazyPhone(load: () => Promise<ComponentType<SentPhoneProps>>): ComponentType<SentPhoneProps> {
  const Phone = lazyComponent(load)
  return function LazyPhone(props: SentPhoneProps) {
    const style: CSSProperties & Record<'--phone-scale', number> = { '--phone-scale': props.scale ?? usualScale }
    return (
      <Suspense fallback={<div aria-busy="true" className="phone-fit" style={style} />}>
        <Phone {...props} />
      </Suspense>
    )
  }
}
