import { useTheme } from '../../lib/theme.ts'
import { Device } from './device.tsx'
import { SmsScreen, type SmsMessage } from './sms-screen.tsx'

type MiniPhoneProps = { message: SmsMessage; scale?: number; day?: string; time?: string }

/** The phone alone, small, without its switches; for sheets, grids and empty screens. Its text stands beside it for readers. */
export function MiniPhone({ message, scale = 0.5, day, time = '1:35 pm' }: MiniPhoneProps) {
  const theme = useTheme()
  return (
    <Device skin="sms" dark={theme === 'dark'} system="android" scale={scale} time={time.replace(/ .m$/, '')}>
      <SmsScreen message={message} system="android" time={time} showParts={false} {...(day ? { day } : {})} />
    </Device>
  )
}
