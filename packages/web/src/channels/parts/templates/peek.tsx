import type { ComponentProps, ReactNode } from 'react'
import { Facts, type Fact } from '../../../ui/facts.tsx'
import { PhonePreview } from '../../phone/phone-preview.tsx'

type TemplatePeekBodyProps = {
  message: ComponentProps<typeof PhonePreview>['message']
  facts: readonly Fact[]
  /** Above the phone. */
  above?: ReactNode
  /** Below the facts. */
  children?: ReactNode
}

/** Template details: phone preview and facts. */
export function TemplatePeekBody({ message, facts, above, children }: TemplatePeekBodyProps) {
  return (
    <div className="flex flex-col gap-5 p-5">
      {above}
      <div className="rounded-lg bg-sunken py-5">
        <PhonePreview scale={0.7} message={message} />
      </div>
      <Facts facts={facts} />
      {children}
    </div>
  )
}
