import clsx from 'clsx'
import { Upload } from 'lucide-react'
import { useId, useState, type DragEvent, type ReactNode } from 'react'
import { formatBytes } from '../lib/format.ts'
import { FieldMessage } from './field.tsx'

type FileDropProps = {
  title: string
  help?: ReactNode
  /** As in the input's attribute: '.csv,.xlsx'. */
  accept: string
  maximumBytes: number
  onFile: (file: File) => void
  /** Beside the button, such as 'Paste numbers'. */
  actions?: ReactNode
  compact?: boolean
  disabled?: boolean
}

/** File drop zone with a button; files of wrong size or type are rejected with a message. */
export function FileDrop({ title, help, accept, maximumBytes, onFile, actions, compact, disabled }: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  const [problem, setProblem] = useState<string>()

  function take(file: File | undefined) {
    if (!file || disabled) return
    const found = refuse(file, { accept, maximumBytes })
    setProblem(found)
    if (!found) onFile(file)
  }

  function onDrop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }

  return (
    <div className="flex flex-col gap-1.5">
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={clsx(
          'flex flex-col items-center justify-center gap-1 rounded-lg border border-dashed text-center transition-colors duration-120',
          over ? 'border-brand bg-brand-muted' : 'border-input bg-card',
          compact ? 'p-4' : 'px-6 py-10',
        )}
      >
        <span className="mb-2 grid size-10 place-items-center rounded-lg bg-secondary text-muted-foreground">
          <Upload aria-hidden className="size-5" />
        </span>
        <p className="font-medium">{title}</p>
        {help ? <p className="max-w-[52ch] text-dense text-muted-foreground">{help}</p> : null}
        <div className="mt-3 flex flex-wrap justify-center gap-2 [&>button]:pointer-coarse:h-11">
          <label
            htmlFor={id}
            className="inline-flex h-8 cursor-pointer items-center rounded-md border border-edge bg-card px-2.5 text-dense font-medium shadow-1 has-focus-visible:outline-2 has-focus-visible:outline-ring hover:bg-accent pointer-coarse:h-11"
          >
            Choose a file
            <input
              id={id}
              type="file"
              accept={accept}
              disabled={disabled}
              className="sr-only"
              onChange={(event) => {
                take(event.target.files?.[0])
                event.target.value = ''
              }}
            />
          </label>
          {actions}
        </div>
      </div>
      {problem ? <FieldMessage text={problem} /> : null}
    </div>
  )
}

function refuse(file: File, { accept, maximumBytes }: { accept: string; maximumBytes: number }): string | undefined {
  const endings = accept.split(',').map((ending) => ending.trim().toLowerCase())
  const known = endings.some((ending) => !ending.startsWith('.') || file.name.toLowerCase().endsWith(ending))
  if (!known) return `${file.name} is not a ${endings.join(' or ')} file.`
  if (file.size === 0) return `${file.name} is empty.`
  if (file.size > maximumBytes)
    return `${file.name} is ${formatBytes(file.size)}; the maximum is ${formatBytes(maximumBytes)}.`
  return undefined
}
