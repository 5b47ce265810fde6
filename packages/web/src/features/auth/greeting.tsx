import { MiniPhone } from '../../channels/phone/mini-phone.tsx'
import type { Newcomer } from './register-form.tsx'

/** A phone that shows a greeting with the names being typed. */
export function Greeting({ organization, name }: Newcomer) {
  const first = name.trim().split(/\s+/)[0] || 'there'
  const business = organization.trim() || 'your business'
  const text = `Hi ${first}, this is what a message from ${business} looks like on a phone. Welcome!`
  return (
    <figure aria-label="A message with your names" className="m-0">
      <MiniPhone message={{ channel: 'sms', sender: 'VM-HELLO-S', pieces: [{ text }] }} scale={0.85} />
    </figure>
  )
}
