import type { Channel } from '@carillon/contract/channels'
import { BadgeCheck, ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTheme } from '../../lib/theme.ts'
import { Device } from '../../ui/phone/device.tsx'
import { ChannelMark } from '../channel-mark.tsx'
import './login-lane.css'

type LoginLaneProps = { channel: Channel; note: string; label: string; children: ReactNode }

/** A phone of the login page, with the channel's name and a note below. */
export function LoginLane({ channel, note, label, children }: LoginLaneProps) {
  const theme = useTheme()
  return (
    <figure aria-label={label} className="m-0">
      <Device skin={channel} dark={theme === 'dark'} system="android" scale="inherit" time="1:35">
        {children}
      </Device>
      <figcaption className="mt-5 flex items-center justify-between px-1">
        <b>
          <ChannelMark channel={channel} />
        </b>
        <span className="text-caption text-muted-foreground max-xl:hidden">{note}</span>
      </figcaption>
    </figure>
  )
}

export function LaneBar({ name, avatar, verified }: { name: string; avatar: ReactNode; verified?: boolean }) {
  return (
    <div aria-hidden className="phone-bar proof-bar">
      <ChevronLeft />
      <span className="phone-avatar">{avatar}</span>
      <span className="phone-name">{name}</span>
      {verified ? <BadgeCheck className="proof-verified" /> : null}
    </div>
  )
}

/** The sentence of the login page with its variables filled in. */
export function LaneSentence() {
  return (
    <>
      Hi <u>Meera</u>, your order <u>48213</u> has left Pune and reaches you by <u>5 Nov</u>.
    </>
  )
}

export function LaneCompose({ hint, icon }: { hint: string; icon: ReactNode }) {
  return (
    <div aria-hidden className="proof-compose">
      <span>{hint}</span>
      <i>{icon}</i>
    </div>
  )
}
