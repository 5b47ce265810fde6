import { useTheme } from '../../lib/theme.ts'
import { Device } from '../../ui/phone/device.tsx'
import type { PhoneMessage } from './phone-preview.tsx'
import { SmsScreen } from '../sms/phone/sms-screen.tsx'
import { LazyWhatsappScreen } from '../whatsapp/phone/lazy-whatsapp-screen.tsx'

type MiniPhoneProps = { message: PhoneMessage; scale?: number; day?: string; time?: string }

/** A small phone without controls, for sheets, grids and empty screens; its text is available to screen readers. */
export function MiniPhone({ message, scale = 0.5, day, time = '1:35 pm' }: MiniPhoneProps) {
  const theme = useTheme()
  const when = { time, ...(day ? { day } : {}) }
  return (
    <Device
      skin={message.channel}
      dark={theme === 'dark'}
      system="android"
      scale={scale}
      time={time.replace(/ .m$/, '')}
    >
      {message.channel === 'whatsapp' ? (
        <LazyWhatsappScreen message={message} system="android" {...when} />
      ) : (
        <SmsScreen message={message} system="android" showParts={false} {...when} />
      )}
    </Device>
  )
}
