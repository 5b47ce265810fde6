import { diffCharacters } from '@carillon/contract/channels/sms/sms-variables'
import { Check, TriangleAlert } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Textarea } from '../../ui/input.tsx'
import { Pill } from '../../ui/pill.tsx'

type CompareBoxProps = {
  body: string
  approved: string | undefined
  onApprovedChange: (approved: string | undefined) => void
  /** Replaces the text with the approved one. */
  onUse: (approved: string) => void
}

/** Compares the text with the one approved on the DLT portal, character by character. */
export function CompareBox({ body, approved, onApprovedChange, onUse }: CompareBoxProps) {
  const [isPasting, setPasting] = useState(approved === undefined)
  const pieces = diffCharacters(approved ?? '', useDeferredValue(body))
  const differences = pieces.filter(({ kind }) => kind !== 'same').length
  const isShown = approved !== undefined && !isPasting

  return (
    <section aria-labelledby="compare-title">
      <div className="mb-1 flex min-h-8 items-center gap-2">
        <h2 id="compare-title" className="flex-1 text-section font-semibold">
          Compare with the DLT portal
        </h2>
        <span role="status">
          {isShown ? (
            <Pill tone={differences > 0 ? 'care' : 'good'} icon={differences > 0 ? TriangleAlert : Check}>
              {differences > 0 ? countOf(Math.ceil(differences / 2), 'difference') : 'Same text'}
            </Pill>
          ) : null}
        </span>
      </div>
      {isShown ? (
        <p className="rounded-md border border-input bg-card px-3 py-2.5 font-mono text-dense leading-5.5 tracking-normal break-words whitespace-pre-wrap">
          {pieces.map((piece, index) => (
            <Piece key={index} kind={piece.kind} text={piece.text} />
          ))}
        </p>
      ) : (
        <Textarea
          aria-labelledby="compare-title"
          rows={3}
          maxLength={1600}
          placeholder="Paste the approved text here"
          defaultValue={approved ?? ''}
          onChange={(event) => onApprovedChange(event.target.value === '' ? undefined : event.target.value)}
          onPaste={() => setTimeout(() => setPasting(false))}
          onBlur={() => setPasting(approved === undefined)}
        />
      )}
      {isShown ? (
        <div className="mt-1 flex min-h-8 flex-wrap items-center gap-3 text-caption text-muted-foreground">
          <span className="flex items-center gap-1.5">
            <i aria-hidden className="size-2 rounded-[2px] bg-destructive" /> yours
          </span>
          <span className="flex items-center gap-1.5">
            <i aria-hidden className="size-2 rounded-[2px] bg-success" /> approved
          </span>
          <span className="ml-auto flex gap-1">
            {differences > 0 ? (
              <Button variant="ghost" size="tool" onClick={() => onUse(approved)}>
                Use the approved text
              </Button>
            ) : null}
            <Button variant="ghost" size="tool" onClick={() => setPasting(true)}>
              Paste approved text again
            </Button>
          </span>
        </div>
      ) : null}
    </section>
  )
}

function Piece({ kind, text }: { kind: 'same' | 'missing' | 'extra'; text: string }) {
  if (kind === 'same') return text
  const visible = text.replaceAll('\n', '↵\n').replaceAll(' ', '·')
  return kind === 'extra' ? (
    <del className="rounded-[3px] bg-danger-muted px-0.5 text-danger-text no-underline shadow-[inset_0_-1.5px_0_var(--destructive)]">
      {visible}
    </del>
  ) : (
    <ins className="rounded-[3px] bg-success-muted px-0.5 text-success-text no-underline shadow-[inset_0_-1.5px_0_var(--success)]">
      {visible}
    </ins>
  )
}
