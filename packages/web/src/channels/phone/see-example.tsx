import type { Channel } from '@carillon/contract/channels'
import { defaultChannels } from '@carillon/contract/constants'
import { channelTraits } from '@carillon/contract/channels/table'
import { useState } from 'react'
import { Button } from '../../ui/plain-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { channelList, channels } from '../index.ts'
import { MiniPhone } from './mini-phone.tsx'

/** A button that shows an example message on the recipient's phone. */
export function SeeExample({ first = defaultChannels.examples }: { first?: Channel }) {
  const [open, setOpen] = useState(false)
  const [shown, setShown] = useState(first)
  const message = channels[shown].phone?.examples[0]
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
          <Segmented
            label="Channel"
            options={channelList
              .filter(({ phone }) => phone)
              .map(({ channel }) => ({ value: channel, label: channelTraits[channel].label }))}
            value={shown}
            onValueChange={setShown}
          />
          {message ? <MiniPhone message={message} scale={0.6} /> : null}
        </div>
      </Dialog>
    </>
  )
}
