import { firstGraphemes } from '@carillon/contract/text'
import type { WhatsappNumber, WhatsappProfile } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import {
  ArrowLeft,
  Building2,
  Globe,
  Info,
  Mail,
  MapPin,
  MessageSquareText,
  Phone,
  Search,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { formatTime, initialsOf } from '../../../lib/format.ts'
import { useTheme } from '../../../lib/theme.ts'
import { Device } from '../../../ui/phone/device.tsx'
import '../phone/whatsapp.css'
import '../phone/whatsapp-replies.css'
import './profile-phone.css'
import { verticalLabel } from './texts.ts'

type ProfilePhoneProps = { number: WhatsappNumber; profile: WhatsappProfile; picture: string | undefined }

/** Preview of the profile's page on a phone. */
export function ProfilePhone({ number, profile, picture }: ProfilePhoneProps) {
  const theme = useTheme()
  const [opened] = useState(() => formatTime(new Date()).replace(/ .m$/, ''))
  const { about, description, vertical, address, email, websites } = profile
  const lines: readonly (readonly [LucideIcon, string])[] = [
    [Building2, vertical === 'UNDEFINED' ? '' : verticalLabel(vertical)],
    [Info, description],
    [MapPin, address],
    [Mail, email],
    ...websites.map((site) => [Globe, site] as const),
  ]
  return (
    <figure className="m-0" aria-label="The profile on a phone">
      <Device skin="whatsapp" dark={theme === 'dark'} system="android" scale={0.72} time={opened}>
        <div className="phone-wa-profile">
          <ArrowLeft aria-hidden className="phone-wa-profile-back" />
          <span className="phone-wa-profile-picture">
            {picture ? <img src={picture} alt="" /> : firstGraphemes(initialsOf(number.verifiedName || 'Business'), 1)}
          </span>
          <b>{number.verifiedName || 'Your business'}</b>
          <span className="phone-wa-profile-number">{number.displayPhoneNumber}</span>
          <span aria-hidden className="phone-wa-profile-deeds">
            {[Phone, MessageSquareText, Search].map((Icon, index) => (
              <i key={index}>
                <Icon />
              </i>
            ))}
          </span>
          <ul>
            {lines
              .filter(([, text]) => text !== '')
              .map(([Icon, text], index) => (
                <li key={index}>
                  <Icon aria-hidden />
                  <span>{text}</span>
                </li>
              ))}
          </ul>
          {about ? (
            <p>
              {about}
              <small>About</small>
            </p>
          ) : null}
        </div>
      </Device>
    </figure>
  )
}
