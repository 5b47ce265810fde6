import type { Estimate } from '@carillon/contract/campaign-drafts'
import { Check } from 'lucide-react'
import { countOf } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

type Found = Pick<Estimate, 'missing' | 'missingSeqs' | 'unreadable' | 'unreadableSeqs' | 'tooLong' | 'tooLongSeqs'>

type RowProblemsProps = {
  found: Found | undefined
  /** Whether values have a maximum length. */
  hasLimits: boolean
  /** Shows a row on the phone. */
  onJump: (seq: number) => void
}

/** Rows of the whole file with a missing or too long value. */
export function RowProblems({ found, hasLimits, onJump }: RowProblemsProps) {
  if (!found) return null
  const { missing, missingSeqs, unreadable, unreadableSeqs, tooLong, tooLongSeqs } = found
  if (missing === 0 && tooLong === 0 && unreadable === 0) {
    return (
      <p role="status" className="flex items-center gap-2 text-dense text-muted-foreground">
        <Check aria-hidden className="size-4 text-success-text" /> Every row has a value
        {hasLimits ? ' that can be sent' : ''}
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      {unreadable > 0 ? (
        <Notice tone="care" actions={<ShowRow seq={unreadableSeqs[0]} onJump={onJump} />}>
          <b>{countOf(unreadable, 'row')} with an unreadable date or number.</b> Counted as empty: correct the file, or
          choose another format.
        </Notice>
      ) : null}
      {missing > 0 ? (
        <Notice tone="care" actions={<ShowRow seq={missingSeqs[0]} onJump={onJump} />}>
          <b>{countOf(missing, 'row')} without a value.</b> Skipped, unless you enter a value for empty cells.
        </Notice>
      ) : null}
      {tooLong > 0 ? (
        <Notice tone="care" actions={<ShowRow seq={tooLongSeqs[0]} onJump={onJump} />}>
          <b>{countOf(tooLong, 'row')} with a value that is too long.</b> Operators may refuse such messages: trim the
          value.
        </Notice>
      ) : null}
    </div>
  )
}

function ShowRow({ seq, onJump }: { seq: number | undefined; onJump: RowProblemsProps['onJump'] }) {
  if (seq === undefined) return null
  return (
    <Button size="tool" className="text-foreground" onClick={() => onJump(seq)}>
      Show on phone
    </Button>
  )
}
