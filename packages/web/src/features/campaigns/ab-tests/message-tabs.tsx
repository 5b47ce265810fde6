import { channelTraits } from '@carillon/contract/channels/table'
import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { fieldMessages } from '../../../lib/field-messages.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { WizardState } from '../wizard/use-wizard.ts'
import { letterOfVariant } from '@carillon/contract/variant-positions'
import type { WizardVariant } from './use-variants.ts'

type MessageTabsProps = {
  wizard: WizardState
  /** Whether messages can be added, removed and moved to another channel here. */
  canEdit?: boolean
  /** The choices of the first message; absent if they are shown elsewhere. */
  first?: ReactNode
  children: (variant: WizardVariant) => ReactNode
}

/** The messages of a test, one at a time. */
export function MessageTabs({ wizard, canEdit = false, first, children }: MessageTabsProps) {
  const { test } = wizard
  const { variants, show } = test
  const shown = variants.find(({ variant }) => variant === test.shown) ?? (first ? undefined : variants[0])
  const letters = [...(first ? [letterOfVariant(0)] : []), ...variants.map(({ letter }) => letter)]
  const value = shown?.letter ?? letterOfVariant(0)
  const items = letters.map((letter) => ({ value: letter, label: `Message ${letter}` }))
  return (
    <Tabs
      label="Messages of the test"
      inset="none"
      items={items}
      value={value}
      onValueChange={(letter) => show(variants.find((one) => one.letter === letter)?.variant ?? 0)}
    >
      <div className="flex flex-col gap-5 pt-4">
        {canEdit ? <Edits wizard={wizard} shown={shown} /> : null}
        {shown ? <Refusals wizard={wizard} shown={shown} /> : null}
        {shown ? children(shown) : first}
      </div>
    </Tabs>
  )
}

type EditsProps = { wizard: WizardState; shown: WizardVariant | undefined }

function Edits({ wizard: { test }, shown }: EditsProps) {
  const { channels, canAdd, add, show } = test
  return (
    <div className="flex flex-wrap items-center gap-2">
      {shown && channels.length > 1 ? (
        <Segmented
          label={`Channel of message ${shown.letter}`}
          value={shown.channel}
          onValueChange={shown.setChannel}
          options={channels.map((channel) => ({ value: channel, label: channelTraits[channel].label }))}
        />
      ) : null}
      <span className="ml-auto flex gap-2">
        {shown ? (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              show(shown.variant - 1)
              shown.remove()
            }}
          >
            <Trash2 aria-hidden /> Remove message {shown.letter}
          </Button>
        ) : null}
        {canAdd ? (
          <Button size="sm" onClick={add}>
            <Plus aria-hidden /> Add a message
          </Button>
        ) : null}
      </span>
    </div>
  )
}

/** What the server refused of the message. */
function Refusals({ wizard, shown }: { wizard: WizardState; shown: WizardVariant }) {
  const place = `abTest.variants.${shown.variant - 1}.`
  const refused = Object.entries(fieldMessages(wizard.handle.error ?? null)).filter(([field]) =>
    field.startsWith(place),
  )
  return refused.map(([field, message]) => <FieldMessage key={field} text={message} />)
}
