import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { useState } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'

type SkipRecent = CampaignDraft['skipRecent']

type SkipRecentFieldProps = { skipRecent: SkipRecent; onSkipRecent: (skipRecent: SkipRecent) => void }

const usualHours = 24
const mostHours = 720

const scopes = [
  { value: 'channel', label: 'on the same channel' },
  { value: 'all', label: 'on any channel' },
] as const

/** Skips people messaged within the given hours; applied once the text is a valid number. */
export function SkipRecentField({ skipRecent, onSkipRecent }: SkipRecentFieldProps) {
  const [typed, setTyped] = useState<string>()
  const [last, setLast] = useState(skipRecent?.hours ?? usualHours)
  const hours = skipRecent?.hours ?? last
  const [lastScope, setLastScope] = useState(skipRecent?.scope ?? 'channel')
  const scope = skipRecent?.scope ?? lastScope

  function type(text: string) {
    setTyped(text)
    const next = Number(text)
    if (!Number.isInteger(next) || next < 1 || next > mostHours) return
    setLast(next)
    onSkipRecent({ hours: next, scope })
  }

  return (
    <div className="mt-3 border-t border-line pt-3">
      <Checkbox
        label="Skip people messaged in the last"
        checked={skipRecent !== null}
        onChange={(event) => onSkipRecent(event.target.checked ? { hours, scope } : null)}
      />
      <div className="mt-1.5 flex flex-wrap items-center gap-2 pl-6.5">
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
        <span className="w-44 max-md:w-full">
          <Select
            size="sm"
            aria-label="Which messages count"
            disabled={skipRecent === null}
            options={scopes}
            value={scope}
            onValueChange={(next) => {
              setLastScope(next)
              onSkipRecent({ hours, scope: next })
            }}
          />
        </span>
      </div>
      <p className="mt-1.5 pl-6.5 text-caption text-muted-foreground">By another campaign. Skipped at no cost.</p>
    </div>
  )
}
