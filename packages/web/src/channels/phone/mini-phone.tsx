import { useTheme } from '../../lib/theme.ts'
import { Device } from '../../ui/phone/device.tsx'
import { channels } from '../index.ts'
import type { PhoneMessage } from './phone-message.ts'

type MiniPhoneProps = { message: PhoneMessage; scale?: number; day?: string; time?: string }

/** A small phone without controls, for sheets, grids and empty screens; its text is available to screen readers. */
export function MiniPhone({ message, scale = 0.5, day, time = '1:35 pm' }: MiniPhoneProps) {
  const theme = useTheme()
  const Screen = channels[message.channel].phone?.Screen
  return (
    <Device
      skin={message.channel}
      dark={theme === 'dark'}
      system="android"
      scale={scale}
      time={time.replace(/ .m$/, '')}
    >
      {Screen ? (
        <Screen message={message} system="android" showParts={false} time={time} {...(day ? { day } : {})} />
      ) : null}
    </Device>
  )
}
