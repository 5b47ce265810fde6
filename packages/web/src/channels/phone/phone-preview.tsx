import { AlignLeft, MessageSquareOff, Ruler } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatTime } from '../../lib/format.ts'
import { currentPreferences } from '../../lib/preferences.ts'
import { useTheme } from '../../lib/theme.ts'
import { IconButton } from '../../ui/button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Device, type PhoneSystem } from '../../ui/phone/device.tsx'
import type { PhoneScreenProps } from '../channel-phone.ts'
import { channels } from '../index.ts'
import type { PhoneMessage } from './phone-message.ts'

type PhonePreviewProps = Omit<PhoneScreenProps, 'system' | 'day' | 'time' | 'showParts'> & {
  /** Time of arrival; default: now. */
  at?: Date
  scale?: number
  /** What a person who cannot receive the channel gets instead; null: nothing. */
  instead?: PhoneMessage | null
}

/** The message on the recipient's phone: light or dark, Android or iOS, with part boundaries, or as text. */
export function PhonePreview({ message: sent, at, scale = 0.8, instead = null, ...shown }: PhonePreviewProps) {
  const theme = useTheme()
  const [chosen, setChosen] = useState<'light' | 'dark'>()
  const [system, setSystem] = useState<PhoneSystem>('android')
  const [showParts, setShowParts] = useState(true)
  const [asText, setAsText] = useState(false)
  const [isWithout, setWithout] = useState(false)
  const skin = chosen ?? preferredTheme(theme)
  const [opened] = useState(() => new Date())
  const time = formatTime(at ?? opened)
  const clock = time.replace(/ .m$/, '')
  const withoutLabel = channels[sent.channel].phone?.withoutLabel
  const message = withoutLabel && isWithout ? instead : sent
  const phone = phoneOf(message)
  const { sender, channel } = message ?? sent

  return (
    <div className="flex flex-col items-center gap-3.5">
      <figure aria-label="Preview of the message on the recipient’s phone" className="m-0">
        {asText ? (
          <AsText sender={sender}>{textOf(message)}</AsText>
        ) : (
          <Device skin={channel} dark={skin === 'dark'} system={system} scale={scale} time={clock}>
            <PhoneScreen message={message} system={system} time={time} showParts={showParts} {...shown} />
          </Device>
        )}
      </figure>
      <div className="flex flex-wrap items-center justify-center gap-2">
        <Segmented label="Phone theme" size="tool" value={skin} onValueChange={setChosen} options={themes} />
        <Segmented label="Phone system" size="tool" value={system} onValueChange={setSystem} options={systems} />
        <WithoutToggle label={withoutLabel} pressed={isWithout} onPress={() => setWithout(!isWithout)} />
        {phone?.hasParts ? <PartsToggle pressed={showParts} onPress={() => setShowParts(!showParts)} /> : null}
        <Toggle label="Read as text" pressed={asText} onPress={() => setAsText(!asText)}>
          <AlignLeft aria-hidden />
        </Toggle>
      </div>
    </div>
  )
}

const nothing = 'Nothing is delivered on this channel'

function phoneOf(message: PhoneMessage | null) {
  return message ? channels[message.channel].phone : undefined
}

function textOf(message: PhoneMessage | null): string | undefined {
  return message ? phoneOf(message)?.textOf(message) : nothing
}

function preferredTheme(theme: 'light' | 'dark'): 'light' | 'dark' {
  const preferred = currentPreferences().previewTheme
  return preferred === 'page' ? theme : preferred
}

type ShownMessage = Omit<PhoneScreenProps, 'message'> & { message: PhoneMessage | null }

function PhoneScreen({ message, ...shown }: ShownMessage) {
  const phone = phoneOf(message)
  return message && phone ? <phone.Screen message={message} {...shown} /> : <p className="phone-nothing">{nothing}</p>
}

type Press = { pressed: boolean; onPress: () => void }

function WithoutToggle({ label, ...press }: Press & { label: string | undefined }) {
  return label === undefined ? null : (
    <Toggle label={label} {...press}>
      <MessageSquareOff aria-hidden />
    </Toggle>
  )
}

function PartsToggle({ pressed, onPress }: Press) {
  return (
    <Toggle label={pressed ? 'Hide part boundaries' : 'Show part boundaries'} pressed={pressed} onPress={onPress}>
      <Ruler aria-hidden />
    </Toggle>
  )
}

function AsText({ sender, children }: { sender: string; children: ReactNode }) {
  return (
    <blockquote className="phone-as-text">
      <b>{sender}</b>
      <p dir="auto" className="message-text">
        {children}
      </p>
    </blockquote>
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
