import '../../channels/phone/login-lane.css'
import type { Channel } from '@carillon/contract/channels'
import { BadgeCheck, ChevronLeft, ExternalLink, MapPin, Mic, Phone, SendHorizontal, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTheme } from '../../lib/theme.ts'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { Device } from '../../ui/phone/device.tsx'

/** A sentence with variables, and the result on three phones, in the page's theme. */
export function Proof() {
  return (
    <div className="proof">
      <p className="proof-source">
        Hi <code>name</code>, your order <code>order_id</code> has left Pune and reaches you by <code>date</code>.
      </p>
      <div className="flex gap-4 xl:gap-5 2xl:gap-7">
        <Lane channel="sms" note="1 part" label="The sentence as an SMS">
          <Bar name="VM-ACMERT-S" avatar={<UserRound />} />
          <div className="phone-body proof-body">
            <p className="phone-day">Yesterday, 11:02 am</p>
            <p className="phone-bubble">Acme Retail: order 48213 is confirmed. Rs 3,498.00 paid by UPI.</p>
            <p className="phone-day">Today, 1:35 pm</p>
            <p className="phone-bubble">
              <Sentence /> Track: <span className="phone-link">acmert.example/48213</span>
            </p>
          </div>
          <p className="phone-no-reply">This sender does not accept replies</p>
        </Lane>
        <Lane channel="rcs" note="Card, 2 suggestions" label="The sentence as RCS">
          <Bar name="Acme Retail" avatar="A" verified />
          <div className="phone-body proof-body">
            <p className="phone-day">Yesterday, 11:02 am</p>
            <p className="phone-bubble">Order 48213 is confirmed. ₹3,498.00 paid by UPI.</p>
            <p className="phone-day">Today, 1:35 pm</p>
            <div className="proof-card">
              <RouteMap />
              <p>
                <Sentence />
              </p>
            </div>
            <p className="proof-chips">
              <span>
                <MapPin /> Track order
              </span>
              <span>Change slot</span>
            </p>
          </div>
          <Compose hint="RCS message" icon={<SendHorizontal />} />
        </Lane>
        <Lane channel="whatsapp" note="Utility, 2 buttons" label="The sentence on WhatsApp">
          <Bar name="Acme Retail" avatar="A" verified />
          <div className="phone-body proof-body">
            <p className="proof-day">Yesterday</p>
            <p className="phone-bubble">
              Order <b>48213</b> is confirmed. ₹3,498.00 paid by UPI. <time>11:02 am</time>
            </p>
            <p className="proof-day">Today</p>
            <div className="phone-bubble proof-buttons">
              <p>
                <Sentence /> <time>1:35 pm</time>
              </p>
              <span>
                <ExternalLink /> Track order
              </span>
              <span>
                <Phone /> Call the store
              </span>
            </div>
          </div>
          <Compose hint="Message" icon={<Mic />} />
        </Lane>
      </div>
    </div>
  )
}

type LaneProps = {
  channel: Extract<Channel, 'sms' | 'rcs' | 'whatsapp'>
  note: string
  label: string
  children: ReactNode
}

function Lane({ channel, note, label, children }: LaneProps) {
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

function Bar({ name, avatar, verified }: { name: string; avatar: ReactNode; verified?: boolean }) {
  return (
    <div aria-hidden className="phone-bar proof-bar">
      <ChevronLeft />
      <span className="phone-avatar">{avatar}</span>
      <span className="phone-name">{name}</span>
      {verified ? <BadgeCheck className="proof-verified" /> : null}
    </div>
  )
}

function Sentence() {
  return (
    <>
      Hi <u>Meera</u>, your order <u>48213</u> has left Pune and reaches you by <u>5 Nov</u>.
    </>
  )
}

function Compose({ hint, icon }: { hint: string; icon: ReactNode }) {
  return (
    <div aria-hidden className="proof-compose">
      <span>{hint}</span>
      <i>{icon}</i>
    </div>
  )
}

function RouteMap() {
  return (
    <svg aria-hidden viewBox="0 0 276 112" preserveAspectRatio="xMidYMid slice">
      <rect width="276" height="112" className="land" />
      <path className="park" d="M-10 88C50 74 80 110 140 94S230 46 300 58V130H-10Z" />
      <path className="street" d="M-6 30 60 14l68 26 78-32 84 18M34-6l26 20-8 106M128 40l-12 78M206 8l18 110" />
      <path className="way" d="M52 76C92 44 120 78 158 58S206 26 232 38" />
      <circle className="start" cx="52" cy="76" r="5" />
      <circle className="end" cx="232" cy="38" r="7" />
    </svg>
  )
}
