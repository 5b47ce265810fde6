import clsx from 'clsx'
import type { CSSProperties, ReactNode } from 'react'

export type PhoneSystem = 'android' | 'ios'

type DeviceProps = {
  skin: 'sms' | 'rcs' | 'whatsapp'
  dark: boolean
  system: PhoneSystem
  /** 1 is the true size of 360 by 740. */
  scale: number
  time: string
  children: ReactNode
}

/** A phone of no maker: the frame, the status line and the bar at its foot. */
export function Device({ skin, dark, system, scale, time, children }: DeviceProps) {
  const style: CSSProperties & Record<'--phone-scale', number> = { '--phone-scale': scale }
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
      <path d="M27 2.2c2.2 0 4.2.9 5.7 2.3l1.2-1.3A10 10 0 0 0 27 .5a10 10 0 0 0-6.9 2.7l1.2 1.3A8.2 8.2 0 0 1 27 2.2Zm0 3.7c1.2 0 2.300.5 3.1 1.2l1.2-1.3A6.3 6.3 0 0 0 27 4.2a6.3 6.3 0 0 0-4.3 1.6l1.2 1.3c.8-.7 1.9-1.2 3.1-1.2Zm0 3.600-1.700 0L27 11.400l1.700-1.900H27Z" />
      <rect x="37.5" y="1" width="17" height="10" rx="2.8" fill="none" stroke="currentColor" strokeOpacity="0.5" />
      <rect x="39" y="2.5" width="11" height="7" rx="1.5" />
      <path d="M56 4.2v3.600c.7-.3 1.200-1 1.200-1.800S56.700 4.500 56 4.200Z" fillOpacity="0.5" />
    </svg>
  )
}
