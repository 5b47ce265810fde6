import { MapPin, SendHorizontal } from 'lucide-react'
import { LaneBar, LaneCompose, LaneSentence, LoginLane } from '../phone/login-lane.tsx'
import './phone/rcs-skin.css'
import './login-example.css'

export function RcsLoginExample() {
  return (
    <LoginLane channel="rcs" note="Card, 2 suggestions" label="The sentence as RCS">
      <LaneBar name="Acme Retail" avatar="A" verified />
      <div className="phone-body proof-body">
        <p className="phone-day">Yesterday, 11:02 am</p>
        <p className="phone-bubble">Order 48213 is confirmed. ₹3,498.00 paid by UPI.</p>
        <p className="phone-day">Today, 1:35 pm</p>
        <div className="proof-card">
          <RouteMap />
          <p>
            <LaneSentence />
          </p>
        </div>
        <p className="proof-chips">
          <span>
            <MapPin /> Track order
          </span>
          <span>Change slot</span>
        </p>
      </div>
      <LaneCompose hint="RCS message" icon={<SendHorizontal />} />
    </LoginLane>
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
