import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { useState } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Input } from '../../../ui/input.tsx'

type SkipRecent = CampaignDraft['skipRecent']

type SkipRecentFieldProps = { skipRecent: SkipRecent; onSkipRecent: (skipRecent: SkipRecent) => void }

const usualHours = 24
const mostHours = 720

/** Skips people messaged within the given hours; applied once the text is a valid number. */
export function SkipRecentField({ skipRecent, onSkipRecent }: SkipRecentFieldProps) {
  const [typed, setTyped] = useState<string>()
  const [last, setLast] = useState(skipRecent?.hours ?? usualHours)
  const hours = skipRecent?.hours ?? last

  function type(text: string) {
    setTyped(text)
    const next = Number(text)
    if (!Number.isInteger(next) || next < 1 || next > mostHours) return
    setLast(next)
    onSkipRecent({ hours: next })
  }

  return (
    <div className="mt-3 border-t border-line pt-3">
      <Checkbox
        label="Skip people messaged in the last"
        checked={skipRecent !== null}
        onChange={(event) => onSkipRecent(event.target.checked ? { hours } : null)}
      />
      <div className="mt-1.5 flex items-center gap-3 pl-6.5">
        <span className="w-28 shrink-0">
          <Input
            size="sm"
            type="number"
            min={1}
            max={mostHours}
            aria-label="Hours since the last message"
            disabled={skipRecent === null}
            trailing={
              // The whole field is dimmed while it is off.
              <span className={`text-caption ${skipRecent ? 'text-muted-foreground' : 'text-foreground'}`}>hours</span>
            }
            value={typed ?? String(hours)}
            onChange={(event) => type(event.target.value)}
            onBlur={() => setTyped(undefined)}
          />
        </span>
        <p className="text-caption text-muted-foreground">
          By another campaign on the same channel. Skipped at no cost.
        </p>
      </div>
    </div>
  )
}
