import { UserRound } from 'lucide-react'
import { LaneBar, LaneSentence, LoginLane } from '../../phone/login-lane.tsx'

export function SmsLoginExample() {
  return (
    <LoginLane channel="sms" note="1 part" label="The sentence as an SMS">
      <LaneBar name="VM-ACMERT-S" avatar={<UserRound />} />
      <div className="phone-body proof-body">
        <p className="phone-day">Yesterday, 11:02 am</p>
        <p className="phone-bubble">Acme Retail: order 48213 is confirmed. Rs 3,498.00 paid by UPI.</p>
        <p className="phone-day">Today, 1:35 pm</p>
        <p className="phone-bubble">
          <LaneSentence /> Track: <span className="phone-link">acmert.example/48213</span>
        </p>
      </div>
      <p className="phone-no-reply">This sender does not accept replies</p>
    </LoginLane>
  )
}
