import { defaultChannels } from '@carillon/contract/constants'
import { useState } from 'react'
import { Button } from '../../ui/plain-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { exampleMessages } from './example-phones.tsx'
import { MiniPhone } from './mini-phone.tsx'

type Shown = keyof typeof exampleMessages

const channels = [
  { value: 'sms', label: 'SMS' },
  { value: 'whatsapp', label: 'WhatsApp' },
] as const

/** A button that shows an example message on the recipient's phone. */
export function SeeExample({ first = defaultChannels.examples }: { first?: Shown }) {
  const [open, setOpen] = useState(false)
  const [shown, setShown] = useState<Shown>(first)
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setOpen(true)}>
        See an example
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Example campaign"
        description="What a customer of Acme Retail sees on the phone."
        footer={<Button onClick={() => setOpen(false)}>Close</Button>}
      >
        <div className="flex flex-col items-center gap-4">
          <Segmented label="Channel" options={channels} value={shown} onValueChange={setShown} />
          <MiniPhone message={exampleMessages[shown]} scale={0.6} />
        </div>
      </Dialog>
    </>
  )
}
