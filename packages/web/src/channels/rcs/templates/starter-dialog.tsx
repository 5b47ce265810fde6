import { LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { MiniPhone } from '../../phone/mini-phone.tsx'
import { rcsMessageOf } from '../phone-message.ts'
import { emptyForm } from './form.ts'
import { starters, type Starter } from './starters.ts'

/** Chooses an example from the starter library. */
export function FromLibrary({ onChoose }: { onChoose: (starter: Starter) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="ghost" size="tool" className="-my-1.5 text-muted-foreground" onClick={() => setOpen(true)}>
        <LayoutTemplate aria-hidden /> From library
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        width="large"
        title="Starter library"
        description="Begin with an example. It replaces the content of this template; undo brings it back."
      >
        <ul className="grid grid-cols-3 gap-4 pb-1 max-md:grid-cols-1">
          {starters.map((starter) => (
            <li key={starter.title} className="flex flex-col rounded-lg border border-border bg-card">
              <div aria-hidden inert className="flex h-44 justify-center overflow-hidden rounded-t-lg bg-sunken pt-3">
                <MiniPhone scale={0.5} message={messageOf(starter)} />
              </div>
              <div className="flex flex-1 flex-col gap-0.5 p-3">
                <b>{starter.title}</b>
                <span className="text-dense text-muted-foreground">{starter.note}</span>
                <Button
                  size="sm"
                  className="mt-2 self-start"
                  aria-label={`Use ${starter.title}`}
                  onClick={() => {
                    setOpen(false)
                    onChoose(starter)
                  }}
                >
                  Use
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}

function messageOf({ input }: Starter) {
  return rcsMessageOf({ ...emptyForm(null).input, ...input }, { sender: 'Acme Retail', isVerified: true })
}
