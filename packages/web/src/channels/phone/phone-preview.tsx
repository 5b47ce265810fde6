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
  const looks = usePhoneLooks()
  const [opened] = useState(() => new Date())
  const time = formatTime(at ?? opened)
  const withoutLabel = channels[sent.channel].phone?.withoutLabel
  const message = withoutLabel && looks.isWithout ? instead : sent
  const { channel, sender } = message ?? sent

  return (
    <div className="flex flex-col items-center gap-3.5">
      <figure aria-label="Preview of the message on the recipient’s phone" className="m-0">
        {looks.asText ? (
          <AsText sender={sender}>{textOf(message)}</AsText>
        ) : (
          <Device
            skin={channel}
            dark={looks.skin === 'dark'}
            system={looks.system}
            scale={scale}
            time={time.replace(/ .m$/, '')}
          >
            <PhoneScreen {...shown} message={message} system={looks.system} time={time} showParts={looks.showParts} />
          </Device>
        )}
      </figure>
      <Controls looks={looks} withoutLabel={withoutLabel} hasParts={hasParts(message)} />
    </div>
  )
}

/** What the controls below the phone choose. */
function usePhoneLooks() {
  const theme = useTheme()
  const [chosen, setSkin] = useState<'light' | 'dark'>()
  const [system, setSystem] = useState<PhoneSystem>('android')
  const [showParts, setShowParts] = useState(true)
  const [asText, setAsText] = useState(false)
  const [isWithout, setWithout] = useState(false)
  const preferred = currentPreferences().previewTheme
  const skin = chosen ?? (preferred === 'page' ? theme : preferred)
  return { skin, setSkin, system, setSystem, showParts, setShowParts, asText, setAsText, isWithout, setWithout }
}

type PhoneScreenOf = Omit<PhoneScreenProps, 'message'> & { message: PhoneMessage | null }

function PhoneScreen({ message, ...props }: PhoneScreenOf) {
  const phone = message ? channels[message.channel].phone : undefined
  if (!message || !phone) return <p className="phone-nothing">{nothing}</p>
  return <phone.Screen message={message} {...props} />
}

type ControlsProps = {
  looks: ReturnType<typeof usePhoneLooks>
  withoutLabel: string | undefined
  hasParts: boolean
}

function Controls({ looks, withoutLabel, hasParts }: ControlsProps) {
  const { skin, setSkin, system, setSystem, showParts, setShowParts, asText, setAsText, isWithout, setWithout } = looks
  return (
    <div className="flex flex-wrap items-center justify-center gap-2">
      <Segmented label="Phone theme" size="tool" value={skin} onValueChange={setSkin} options={themes} />
      <Segmented label="Phone system" size="tool" value={system} onValueChange={setSystem} options={systems} />
      {withoutLabel ? (
        <Toggle label={withoutLabel} pressed={isWithout} onPress={() => setWithout(!isWithout)}>
          <MessageSquareOff aria-hidden />
        </Toggle>
      ) : null}
      {hasParts ? (
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
  )
}

function textOf(message: PhoneMessage | null): string | undefined {
  return message ? channels[message.channel].phone?.textOf(message) : nothing
}

function hasParts(message: PhoneMessage | null): boolean {
  return message !== null && channels[message.channel].phone?.hasParts === true
}

const nothing = 'Nothing is delivered on this channel'

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
