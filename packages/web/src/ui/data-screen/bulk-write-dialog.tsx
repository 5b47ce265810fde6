import type { ReactNode } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Notice } from '../notice.tsx'
import { Progress } from '../progress.tsx'
import type { BulkLabels, Exception } from './bulk-labels.ts'

type BulkWriteDialogProps = {
  words: BulkLabels
  possible: number
  leftOut: readonly Exception[]
  /** Number of rows written so far. */
  done: number
  /** Rows rejected by the server; undefined until finished. */
  refused: readonly Exception[] | undefined
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
  /** Further information or fields. */
  children?: ReactNode
}

/** Shows how many rows will be changed and which are excluded; afterwards, which ones the server rejected. */
export function BulkWriteDialog(props: BulkWriteDialogProps) {
  const { words, possible, leftOut, done, refused, isBusy, onConfirm, onClose, children } = props
  if (refused) return <Outcome {...props} refused={refused} />
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isBusy && onClose()}
      width="medium"
      title={possible === 0 ? 'Nothing to do' : words.title(possible)}
      description={possible === 0 ? undefined : words.effect}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            {possible === 0 ? 'Close' : 'Cancel'}
          </Button>
          {possible === 0 ? null : (
            <Button variant={words.isHarmless ? 'primary' : 'destructive'} loading={isBusy} onClick={onConfirm}>
              {words.action(possible)}
            </Button>
          )}
        </>
      }
    >
      {possible === 0 ? null : children}
      <Exceptions title={`Left out: ${formatCount(leftOut.length)}`} exceptions={leftOut} />
      {isBusy ? (
        <Progress label={`${formatCount(done)} of ${formatCount(possible)}`} percent={(done / possible) * 100} />
      ) : null}
    </Dialog>
  )
}

function Outcome({ words, done, refused, onClose }: BulkWriteDialogProps & { refused: readonly Exception[] }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="medium"
      title={`${words.label}: ${formatCount(done - refused.length)} of ${formatCount(done)} done`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Notice tone="bad">{`${formatCount(refused.length)} could not be changed.`}</Notice>
      <Exceptions title="Not done" exceptions={refused} />
    </Dialog>
  )
}

function Exceptions({ title, exceptions }: { title: string; exceptions: readonly Exception[] }) {
  if (exceptions.length === 0) return null
  return (
    <section aria-label={title} className="py-3">
      <h3 className="pb-1 text-caption font-medium text-muted-foreground">{title}</h3>
      <ul className="max-h-60 overflow-y-auto">
        {exceptions.map(({ name, why }, index) => (
          <li key={`${name}-${index}`} className="flex gap-3 border-t border-line py-1.5">
            <b className="min-w-0 flex-1 truncate font-medium">{name}</b>
            <span className="text-muted-foreground">{why}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
