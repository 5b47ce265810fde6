import { AlignLeft, Ruler } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatTime } from '../../lib/format.ts'
import { currentPreferences } from '../../lib/preferences.ts'
import { useTheme } from '../../lib/theme.ts'
import { IconButton } from '../../ui/button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Device, type PhoneSystem } from '../../ui/phone/device.tsx'
import { textOfPieces } from '../../ui/phone/pieces.ts'
import { SmsScreen, type SmsMessage } from '../sms/phone/sms-screen.tsx'
import type { WhatsappMessage, WhatsappPart } from '../whatsapp/phone/whatsapp-message.ts'
import { LazyWhatsappScreen } from '../whatsapp/phone/lazy-whatsapp-screen.tsx'

/** What a phone can show. Rich channels join here with their own screens. */
export type PhoneMessage = SmsMessage | WhatsappMessage

type PhonePreviewProps = {
  message: PhoneMessage
  /** Time of arrival; default: now. */
  at?: Date
  scale?: number
  pricePerPart?: number | null | undefined
  /** The variable whose field has the focus, outlined. */
  focusedVariable?: string | undefined
  /** Called when a variable is pressed, to focus its field. */
  onVariable?: (variable: string) => void
  /** The focused part of a rich message. */
  focusedPart?: WhatsappPart | undefined
  onPart?: (part: WhatsappPart) => void
}

/** The message on the recipient's phone: light or dark, Android or iOS, with part boundaries, or as text. */
export function PhonePreview({ message, at, scale = 0.8, pricePerPart, ...touch }: PhonePreviewProps) {
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

  return (
    <div className="flex flex-col items-center gap-3.5">
      <figure aria-label="Preview of the message on the recipient’s phone" className="m-0">
        {asText ? (
          <blockquote className="phone-as-text">
            <b>{message.sender}</b>
            <p dir="auto" className="message-text">
              {textOf(message)}
            </p>
          </blockquote>
        ) : (
          <Device skin={message.channel} dark={skin === 'dark'} system={system} scale={scale} time={clock}>
            {message.channel === 'whatsapp' ? (
              <LazyWhatsappScreen message={message} system={system} time={time} {...touch} />
            ) : (
              <SmsScreen
                message={message}
                system={system}
                time={time}
                showParts={showParts}
                pricePerPart={pricePerPart}
                {...touch}
              />
            )}
          </Device>
        )}
      </figure>
      <div className="flex items-center gap-2">
        <Segmented label="Phone theme" size="tool" value={skin} onValueChange={setChosen} options={themes} />
        <Segmented label="Phone system" size="tool" value={system} onValueChange={setSystem} options={systems} />
        {message.channel === 'sms' ? (
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

/** The full text of the message, in display order. */
function textOf(message: PhoneMessage): string {
  if (message.channel === 'sms') return textOfPieces(message.pieces)
  const { header, pieces, footer, buttons = [], cards = [] } = message
  const headText = header?.kind === 'text' ? textOfPieces(header.pieces) : header ? `(${header.kind})` : ''
  const cardTexts = cards.map((card, index) => `${index + 1}. ${textOfPieces(card.pieces)}`)
  return [headText, textOfPieces(pieces), ...cardTexts, footer ?? '', ...buttons.map(({ text }) => `[${text}]`)]
    .filter((part) => part !== '')
    .join('\n\n')
}
