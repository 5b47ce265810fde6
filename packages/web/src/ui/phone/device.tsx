import clsx from 'clsx'
import type { CSSProperties, ReactNode } from 'react'

export type PhoneSystem = 'android' | 'ios'

type DeviceProps = {
  /** Names the class with its colours: `phone-<skin>`. */
  skin: string
  dark: boolean
  system: PhoneSystem
  /** 1 is actual size, 360 by 740; `inherit` uses the surrounding style sheet. */
  scale: number | 'inherit'
  time: string
  children: ReactNode
}

/** A generic phone frame with status bar and home indicator. */
export function Device({ skin, dark, system, scale, time, children }: DeviceProps) {
  const style: (CSSProperties & Record<'--phone-scale', number>) | undefined =
    scale === 'inherit' ? undefined : { '--phone-scale': scale }
  return (
    <div className="phone-fit" style={style}>
      <div className={clsx('phone', `phone-${skin}`, dark && 'is-night', system === 'ios' && 'is-ios')}>
        <div className="phone-screen">
          <span aria-hidden className="phone-camera" />
          <div aria-hidden className="phone-status">
            <span>{time}</span>
            <StatusIcons />
          </div>
          {children}
          <div aria-hidden className="phone-home" />
        </div>
      </div>
    </div>
  )
}

function StatusIcons() {
  return (
    <svg viewBox="0 0 58 12" width="58" height="12" fill="currentColor">
      <rect x="0" y="8" width="3" height="4" rx="0.8" />
      <rect x="4.5" y="5.5" width="3" height="6.5" rx="0.8" />
      <rect x="9" y="3" width="3" height="9" rx="0.8" />
      <rect x="13.5" y="0.5" width="3" height="11.5" rx="0.8" />
      <path d="M27 1.2a10 10 0 0 1 6.9 2.7l-1.3 1.4a8.1 8.1 0 0 0-11.2 0l-1.3-1.4A10 10 0 0 1 27 1.2Zm0 3.9c1.7 0 3.2.6 4.3 1.7L30 8.2a4.4 4.4 0 0 0-6 0l-1.3-1.4A6.3 6.3 0 0 1 27 5.1Zm0 3.8c.7 0 1.3.2 1.8.7L27 11.6l-1.8-2c.5-.5 1.1-.7 1.8-.7Z" />
      <rect x="37.5" y="1" width="17" height="10" rx="2.8" fill="none" stroke="currentColor" strokeOpacity="0.5" />
      <rect x="39" y="2.5" width="11" height="7" rx="1.5" />
      <path d="M56 4.2v3.600c.7-.3 1.200-1 1.200-1.800S56.700 4.500 56 4.200Z" fillOpacity="0.5" />
    </svg>
  )
}
