import { channelLabel } from '../../../channels/channel-mark.tsx'
import { MessageTabs } from './message-tabs.tsx'
import { TestSettings } from './ab-settings.tsx'
import type { TestStepProps } from './tested-messages.tsx'
import { VariantValues } from './variant-values.tsx'

/** Sender, template and values of each further message of the test, and its settings. */
export function FurtherMessages(props: Omit<TestStepProps, 'children'>) {
  return (
    <>
      <div>
        <p className="pb-2 text-dense text-muted-foreground">
          Message A is the {channelLabel(props.wizard.channels.first.channel)} message above.
        </p>
        <MessageTabs wizard={props.wizard} canEdit>
          {(variant) => (
            <>
              {variant.leg.templateStep(undefined)}
              {variant.leg.template ? <VariantValues {...props} variant={variant} /> : null}
            </>
          )}
        </MessageTabs>
      </div>
      <TestSettings wizard={props.wizard} />
    </>
  )
}
