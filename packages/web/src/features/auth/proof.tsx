import '../../channels/phone/login-lane.css'
import { channelList } from '../../channels/index.ts'

/** A sentence with variables, and the result on three phones, in the page's theme. */
export function Proof() {
  return (
    <div className="proof">
      <p className="proof-source">
        Hi <code>name</code>, your order <code>order_id</code> has left Pune and reaches you by <code>date</code>.
      </p>
      <div className="flex gap-4 xl:gap-5 2xl:gap-7">
        {channelList.map(({ channel, LoginExample }) => (LoginExample ? <LoginExample key={channel} /> : null))}
      </div>
    </div>
  )
}
