import { defaultChannels } from '@carillon/contract/constants'
import { channels } from '../../channels/index.ts'
import { MiniPhone } from '../../channels/phone/mini-phone.tsx'
import type { Newcomer } from './register-form.tsx'

/** A phone that shows a greeting with the names being typed. */
export function Greeting({ organization, name }: Newcomer) {
  const first = name.trim().split(/\s+/)[0] || 'there'
  const business = organization.trim() || 'your business'
  const text = `Hi ${first}, this is what a message from ${business} looks like on a phone. Welcome!`
  const message = channels[defaultChannels.campaigns].phone?.greetingOf?.(text)
  return (
    <figure aria-label="A message with your names" className="m-0">
      {message ? <MiniPhone message={message} scale={0.85} /> : null}
    </figure>
  )
}
