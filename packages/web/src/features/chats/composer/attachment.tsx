import type { Channel } from '@carillon/contract/channels'
import type { StoredFile } from '@carillon/contract/files'
import { FileText, RotateCw, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { formatBytes } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'

export type Attached = StoredFile

const maximumBytes = 20 * 1024 * 1024

/** A file to send: chosen, dropped or pasted, and stored before the reply is sent. */
export function useAttachment(channel: Channel) {
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File>()
  const [file, setFile] = useState<Attached>()
  const [problem, setProblem] = useState<string>()
  const current = useRef<File>(undefined)
  const upload = useApiWrite('uploads.create', {
    onSuccess: (stored, { files }) => {
      if (files?.fileContent === current.current) setFile(stored)
    },
    onError: ({ message }, { files }) => {
      if (files?.fileContent === current.current) setProblem(message)
    },
  })

  function clear() {
    current.current = undefined
    setChosen(undefined)
    setFile(undefined)
    setProblem(undefined)
  }
  function add(next: File) {
    if (!mayCall('uploads.create')) return
    clear()
    current.current = next
    setChosen(next)
    if (next.size === 0) return setProblem('The file is empty')
    if (next.size > maximumBytes)
      return setProblem(`It is ${formatBytes(next.size)}; the maximum is ${formatBytes(maximumBytes)}`)
    return upload.mutate({ body: { channel }, files: { fileContent: next } })
  }
  return {
    input,
    chosen,
    file,
    problem,
    isBusy: chosen !== undefined && file === undefined,
    clear,
    add,
    retry: () => chosen && add(chosen),
    choose: () => input.current?.click(),
  }
}

export function Attachment({ attachment }: { attachment: ReturnType<typeof useAttachment> }) {
  const { input, chosen, file, problem, add, clear, retry } = attachment
  return (
    <>
      <input
        ref={input}
        type="file"
        aria-label="File to send"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const [next] = target.files ?? []
          if (next) add(next)
          target.value = ''
        }}
      />
      {chosen ? (
        <div
          role="status"
          className="mx-3 mb-1 flex min-h-10 items-center gap-2.5 rounded-md border border-border bg-background px-2 py-1"
        >
          <span className="grid size-7 shrink-0 place-items-center text-muted-foreground">
            {file || problem ? <FileText aria-hidden className="size-4" /> : <Spinner />}
          </span>
          <span className="min-w-0 flex-1">
            <span dir="auto" className="message-text block truncate text-dense font-medium">
              {chosen.name}
            </span>
            <span
              className={problem ? 'block text-caption text-danger-text' : 'block text-caption text-muted-foreground'}
            >
              {problem ?? (file ? formatBytes(chosen.size) : `Uploading ${formatBytes(chosen.size)}…`)}
            </span>
          </span>
          {problem && chosen.size > 0 && chosen.size <= maximumBytes ? (
            <Button size="tool" onClick={retry}>
              <RotateCw aria-hidden /> Retry
            </Button>
          ) : null}
          <IconButton label="Remove the file" size="tool" onClick={clear}>
            <X aria-hidden />
          </IconButton>
        </div>
      ) : null}
    </>
  )
}
