import { MessageTabs } from './message-tabs.tsx'
import { TestSettings } from './ab-settings.tsx'
import type { TestStepProps } from './tested-messages.tsx'

/** Sender and template of each message of the test, and its settings. */
export function TestTemplates({ wizard, children }: TestStepProps) {
  return (
    <>
      <div>
        <MessageTabs wizard={wizard} canEdit first={children}>
          {({ leg }) => leg.templateStep(undefined)}
        </MessageTabs>
      </div>
      <TestSettings wizard={wizard} />
    </>
  )
}
