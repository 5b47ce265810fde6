import { AlignLeft, Ruler } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatTime } from '../../lib/format.ts'
import { currentPreferences } from '../../lib/preferences.ts'
import { useTheme } from '../../lib/theme.ts'
import { IconButton } from '../../ui/button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Device, type PhoneSystem } from '../../ui/phone/device.tsx'
import type { PhoneScreenProps } from '../channel-phone.ts'
import { channels } from '../index.ts'

type PhonePreviewProps = Omit<PhoneScreenProps, 'system' | 'day' | 'time' | 'showParts'> & {
  /** Time of arrival; default: now. */
  at?: Date
  scale?: number
}

/** The message on the recipient's phone: light or dark, Android or iOS, with part boundaries, or as text. */
export function PhonePreview({ message, at, scale = 0.8, ...shown }: PhonePreviewProps) {
  const theme = useTheme()
  const [chosen, setChosen] = useState<'light' | 'dark'>()
  const [system, setSystem] = useState<PhoneSystem>('android')
  const [showParts, setShowParts] = useState(true)
  const [asText, setAsText] = useState(false)
  const preferred = currentPreferences().previewTheme
  const skin = chosen ?? (preferred === 'page' ? theme : preferred)
  const [opened] = useState(() => new Date())
  const time = formatTime(at ?? opened)
  const clock = time.replace(/ .m$/, '')
  const phone = channels[message.channel].phone

  return (
    <div className="flex flex-col items-center gap-3.5">
      <figure aria-label="Preview of the message on the recipient’s phone" className="m-0">
        {asText ? (
          <blockquote className="phone-as-text">
            <b>{message.sender}</b>
            <p dir="auto" className="message-text">
              {phone?.textOf(message)}
            </p>
          </blockquote>
        ) : (
          <Device skin={message.channel} dark={skin === 'dark'} system={system} scale={scale} time={clock}>
            {phone ? (
              <phone.Screen message={message} system={system} time={time} showParts={showParts} {...shown} />
            ) : null}
          </Device>
        )}
      </figure>
      <div className="flex items-center gap-2">
        <Segmented label="Phone theme" size="tool" value={skin} onValueChange={setChosen} options={themes} />
        <Segmented label="Phone system" size="tool" value={system} onValueChange={setSystem} options={systems} />
        {phone?.hasParts ? (
          <Toggle
            label={showParts ? 'Hide part boundaries' : 'Show part boundaries'}
            pressed={showParts}
            onPress={() => setShowParts(!showParts)}
          >
            <Ruler aria-hidden />
          </Toggle>
        ) : null}
        <Toggle label="Read as text" pressed={asText} onPress={() => setAsText(!asText)}>
          <AlignLeft aria-hidden />
        </Toggle>
      </div>
    </div>
  )
}

const themes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

const systems = [
  { value: 'android', label: 'Android' },
  { value: 'ios', label: 'iOS' },
] as const

type ToggleProps = { label: string; pressed: boolean; onPress: () => void; children: ReactNode }

function Toggle({ label, pressed, onPress, children }: ToggleProps) {
  return (
    <IconButton
      label={label}
      size="tool"
      aria-pressed={pressed}
      onClick={onPress}
      className="aria-pressed:bg-brand-muted aria-pressed:text-brand-text"
    >
      {children}
    </IconButton>
  )
}
