import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { useApiWrite } from '../../../lib/use-api.ts'
import { FieldMessage } from '../../../ui/field.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toast.tsx'

/** A picture uploaded to Meta, referenced by its handle. */
export type ChosenPicture = { handle: string; url: string }

type ProfilePictureProps = {
  wabaId: string
  shown: string | undefined
  onPicture: (picture: ChosenPicture) => void
}

const maximumBytes = 5 * 1024 * 1024

export function ProfilePicture({ wabaId, shown, onPicture }: ProfilePictureProps) {
  const [problem, setProblem] = useState<string>()
  const upload = useApiWrite('waMedia.template', { onError: (error) => toast.error(error.message) })

  function take(file: File | undefined) {
    if (!file) return
    const isFit = /^image\/(?:jpeg|png)$/.test(file.type) && file.size <= maximumBytes
    setProblem(isFit ? undefined : 'Choose a JPEG or PNG of at most 5 MB, square, 640 pixels or more')
    if (!isFit) return
    upload.mutate(
      { body: { waba_id: wabaId, file_name: file.name, file_type: file.type }, files: { file } },
      { onSuccess: ({ handle }) => onPicture({ handle, url: URL.createObjectURL(file) }) },
    )
  }

  return (
    <div className="flex items-center gap-4">
      <span className="grid size-16 shrink-0 place-items-center overflow-hidden rounded-full bg-secondary text-muted-foreground">
        {upload.isPending ? (
          <Spinner />
        ) : shown ? (
          <img src={shown} alt="" className="size-full object-cover" />
        ) : (
          <UserRound aria-hidden />
        )}
      </span>
      <div>
        <label className="inline-flex h-8 cursor-pointer items-center rounded-md border border-edge bg-card px-2.5 text-dense font-medium shadow-1 has-focus-visible:outline-2 has-focus-visible:outline-ring hover:bg-accent pointer-coarse:h-11">
          Choose a picture
          <input
            type="file"
            accept="image/jpeg,image/png"
            className="sr-only"
            onChange={(event) => {
              take(event.target.files?.[0])
              event.target.value = ''
            }}
          />
        </label>
        <p className="mt-1 text-caption text-muted-foreground">Square, 640 pixels or more, JPEG or PNG</p>
        {problem ? <FieldMessage text={problem} /> : null}
      </div>
    </div>
  )
}
