import { MessageTabs } from './message-tabs.tsx'
import type { TestStepProps } from './tested-messages.tsx'
import { VariantValues } from './variant-values.tsx'

/** The values of each message of the test. */
export function TestValues({ children, ...rest }: TestStepProps) {
  return (
    <MessageTabs wizard={rest.wizard} first={children}>
      {(variant) => <VariantValues {...rest} variant={variant} />}
    </MessageTabs>
  )
}
