import { ExternalLink, Mic, Phone } from 'lucide-react'
import { LaneBar, LaneCompose, LaneSentence, LoginLane } from '../../phone/login-lane.tsx'
import './login-example.css'

export function WhatsappLoginExample() {
  return (
    <LoginLane channel="whatsapp" note="Utility, 2 buttons" label="The sentence on WhatsApp">
      <LaneBar name="Acme Retail" avatar="A" verified />
      <div className="phone-body proof-body">
        <p className="proof-day">Yesterday</p>
        <p className="phone-bubble">
          Order <b>48213</b> is confirmed. ₹3,498.00 paid by UPI. <time>11:02 am</time>
        </p>
        <p className="proof-day">Today</p>
        <div className="phone-bubble proof-buttons">
          <p>
            <LaneSentence /> <time>1:35 pm</time>
          </p>
          <span>
            <ExternalLink /> Track order
          </span>
          <span>
            <Phone /> Call the store
          </span>
        </div>
      </div>
      <LaneCompose hint="Message" icon={<Mic />} />
    </LoginLane>
  )
}
