import type { KeyConfig, KeyConfigPayload } from '@carillon/contract/key-config-records'
import { useDeferredValue, useEffect, useRef, useState, type FormEvent } from 'react'
import type { CallError } from '../../lib/call.ts'
import { fieldMessages, unplacedMessage, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { FormRefusal } from '../../ui/form-refusal.tsx'
import { JsonEditor, type JsonEditorHandle, type JsonProblem } from '../../ui/json-editor/json-editor.tsx'
import { locateJson } from '../../ui/json-editor/locate-json.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.tsx'
import { isShown, type ConfigDraft } from './config-fields.ts'
import { ConfigForm } from './config-form.tsx'
import { keyReads } from './key-reads.ts'

type ConfigEditorProps = {
  /** Absent for a new one. */
  config?: KeyConfig | undefined
  onClose: () => void
}

const empty: ConfigDraft = { binding: { name: '' } }

/** A key config as a form, or as its JSON. */
export function ConfigEditor({ config, onClose }: ConfigEditorProps) {
  const [mode, setMode] = useState<'form' | 'json'>('form')
  const [draft, setDraft] = useState<ConfigDraft>(config?.payload ?? empty)
  const [text, setText] = useState('')
  const save = useSaveConfig(config, onClose)

  function choose(next: 'form' | 'json') {
    if (next === mode) return
    if (next === 'json') setText(JSON.stringify(draft, null, 2))
    else {
      const typed = draftFrom(text)
      // Broken JSON has no form; the editor shows where it is broken.
      if (!typed) return
      setDraft(typed)
    }
    setMode(next)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const wanted = mode === 'form' ? draft : draftFrom(text)
    if (wanted) save.write(wanted, mode === 'json' ? text : undefined)
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      width="wide"
      title={config ? `Edit ${config.payload.binding.name}` : 'Create key config'}
      footer={
        <>
          <Segmented
            label="View"
            value={mode}
            onValueChange={choose}
            options={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
          />
          <Button className="ml-auto" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="key-config" variant="primary" loading={save.isPending}>
            {config ? 'Save config' : 'Create config'}
          </Button>
        </>
      }
    >
      <form id="key-config" noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col gap-4 p-5">
        {mode === 'form' ? (
          <>
            <ConfigForm draft={draft} errors={fieldMessages(save.error)} onChange={setDraft} />
            <FormRefusal text={unplacedMessage(save.error, shownFields(save.error))} />
          </>
        ) : (
          <Payload text={text} refused={save.refusedText === text ? save.error : null} onChange={setText} />
        )}
      </form>
    </Sheet>
  )
}

const shownFields = (error: CallError | null) => (error?.details ?? []).map(({ field }) => field).filter(isShown)

function draftFrom(text: string): ConfigDraft | undefined {
  const located = locateJson(text)
  if (located.kind === 'broken') return undefined
  const { value } = located
  // An object that is not an array has text keys.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ConfigDraft) : undefined
}

type PayloadProps = { text: string; refused: CallError | null; onChange: (text: string) => void }

/** The JSON, with the errors of the last save, or with what breaks it. */
function Payload({ text, refused, onChange }: PayloadProps) {
  const editor = useRef<JsonEditorHandle>(null)
  const problems = problemsOf(useDeferredValue(text), refused)
  const first = problems[0]?.place
  useEffect(() => {
    if (refused && first) editor.current?.lead(first)
    // Once per refusal.
  }, [refused]) // oxlint-disable-line react/exhaustive-deps
  return (
    <>
      <p className="text-muted-foreground">
        Fields that are left out have their default. The form shows the same config.
      </p>
      <JsonEditor
        ref={editor}
        label="Payload"
        text={text}
        onChange={onChange}
        problems={problems}
        className="h-[calc(100dvh-16rem)] min-h-64"
      />
      {refused && problems.length === 0 ? <FormRefusal text={refused.message} /> : null}
    </>
  )
}

function problemsOf(text: string, refused: CallError | null): JsonProblem[] {
  const located = locateJson(text)
  if (located.kind === 'broken') return [{ message: located.message, place: located.place }]
  if (typeof located.value !== 'object' || located.value === null || Array.isArray(located.value))
    return [{ message: 'Expected an object in curly brackets', place: located.placeOf('') }]
  return (refused?.details ?? [])
    .map(({ field, message }) => ({ message: field ? `${field}: ${message}` : message, place: located.placeOf(field) }))
    .toSorted((a, b) => a.place.at - b.place.at)
}

function useSaveConfig(config: KeyConfig | undefined, onClose: () => void) {
  const [refusedText, setRefusedText] = useState<string>()
  const options = {
    refreshes: keyReads,
    onSuccess({ payload }: KeyConfig) {
      onClose()
      toast.success(`${payload.binding.name} was saved`)
    },
  }
  const create = useApiWrite('keyConfigs.create', options)
  const update = useApiWrite('keyConfigs.update', options)
  return {
    error: config ? update.error : create.error,
    isPending: create.isPending || update.isPending,
    /** The JSON that the error is about. */
    refusedText,
    write(draft: ConfigDraft, text: string | undefined) {
      setRefusedText(text)
      // The server checks what was typed.
      const body = draft as KeyConfigPayload
      if (config) update.mutate({ path: { id: config.id }, body })
      else create.mutate({ body })
    },
  }
}
