import type { StoredFile } from '@carillon/contract/files'
import { FileText, RotateCw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { CallError } from '../../../lib/call.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { mayShow } from '../state/use-media.ts'
import { uploadMedia } from './upload-media.ts'

export type Attached = StoredFile

const maximumBytes = 20 * 1024 * 1024

type State = { chosen: File; picture?: string; file?: Attached; problem?: string; percent: number }

/** A file to send: chosen, dropped or pasted, and stored before the reply is sent. */
export function useAttachment(chatId: string) {
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<State>()
  const current = useRef<AbortController>(undefined)
  const shown = useRef<string>(undefined)
  useEffect(
    () => () => {
      current.current?.abort()
      if (shown.current) URL.revokeObjectURL(shown.current)
    },
    [],
  )

  function clear() {
    current.current?.abort()
    if (shown.current) URL.revokeObjectURL(shown.current)
    shown.current = undefined
    setState(undefined)
  }
  function add(chosen: File) {
    clear()
    const problem = problemOf(chosen)
    const picture = pictureOf(chosen)
    shown.current = picture
    setState({ chosen, percent: 0, ...(picture ? { picture } : {}), ...(problem ? { problem } : {}) })
    if (!problem) void upload(chosen)
  }
  async function upload(chosen: File) {
    const controller = new AbortController()
    current.current = controller
    const { signal } = controller
    const patch = (change: Partial<State>) => {
      if (!signal.aborted) setState((known) => known && { ...known, ...change })
    }
    try {
      const key = crypto.randomUUID()
      patch({
        file: await uploadMedia({ file: chosen, chatId, key, signal, onProgress: (percent) => patch({ percent }) }),
      })
    } catch (error) {
      // The upload rejects with this type only.
      patch({ problem: (error as CallError).message })
    }
  }
  return {
    input,
    ...state,
    isBusy: state !== undefined && state.file === undefined,
    clear,
    add,
    retry: () => state && add(state.chosen),
    choose: () => input.current?.click(),
  }
}

function problemOf({ size }: File): string | undefined {
  if (size === 0) return 'The file is empty'
  return size > maximumBytes ? `It is ${formatBytes(size)}; the maximum is ${formatBytes(maximumBytes)}` : undefined
}

/** The address of an image in the page; freed when the file is removed. */
function pictureOf(file: File): string | undefined {
  return file.type.startsWith('image/') && mayShow(file.type) ? URL.createObjectURL(file) : undefined
}

type AttachedMarkProps = { picture: string | undefined; isStored: boolean; hasProblem: boolean }

/** A small picture of an image, else a sign. */
function AttachedMark({ picture, isStored, hasProblem }: AttachedMarkProps) {
  if (!isStored && !hasProblem) return <Spinner />
  if (picture && !hasProblem) return <img src={picture} alt="" className="size-full rounded-sm object-cover" />
  return <FileText aria-hidden className="size-4" />
}

export function Attachment({ attachment }: { attachment: ReturnType<typeof useAttachment> }) {
  const { input, chosen, picture, file, problem, percent = 0, add, clear, retry } = attachment
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
          className="mx-3 mb-1 flex min-h-11 items-center gap-2.5 rounded-md border border-border bg-background px-2 py-1"
        >
          <span className="grid size-8 shrink-0 place-items-center text-muted-foreground">
            <AttachedMark picture={picture} isStored={file !== undefined} hasProblem={problem !== undefined} />
          </span>
          <span className="min-w-0 flex-1">
            <span dir="auto" className="message-text block truncate text-dense font-medium">
              {chosen.name}
            </span>
            <span
              className={problem ? 'block text-caption text-danger-text' : 'block text-caption text-muted-foreground'}
            >
              {problem ?? (file ? formatBytes(chosen.size) : `Uploading ${formatBytes(chosen.size)}, ${percent}%`)}
            </span>
          </span>
          {problem && !problemOf(chosen) ? (
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
