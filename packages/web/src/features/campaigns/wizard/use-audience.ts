import type { Audience, AudienceChoice } from '@carillon/contract/audience'
import type { Channel } from '@carillon/contract/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, CallError } from '../../../lib/call.ts'
import { Presses } from '../../../lib/presses.ts'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { uploadAudience } from './upload-audience.ts'
import { useCorrections } from './use-corrections.ts'

const pollMs = 500

export type AudienceHandle = ReturnType<typeof useAudience>

type AudienceOfDraft = {
  audienceId: string | null
  channel: Channel
  onChosen: (audience: Pick<Audience, '_id'>) => void
}

/** The audience of a draft: upload and validation progress. */
export function useAudience({ audienceId, channel, onChosen }: AudienceOfDraft) {
  const queries = useQueryClient()
  const [upload, setUpload] = useState<{ name: string; percent: number }>()
  const [error, setError] = useState<CallError>()
  const cancel = useRef<AbortController>(undefined)
  const [pastes] = useState(() => new Presses())

  const known = queries.getQueryData<Audience>(['audience.get', { path: { id: audienceId ?? '' } }])
  const query = useApi(
    'audience.get',
    { path: { id: audienceId ?? '' } },
    { enabled: audienceId !== null, refetchInterval: !known || isUnderWay(known) ? pollMs : false },
  )
  const audience = audienceId ? query.data : undefined
  const corrections = useCorrections(audience)
  const map = useApiWrite('audience.map', { refreshes: ['audience.get'], onError: setError })

  async function take(work: () => Promise<Audience>) {
    setError(undefined)
    try {
      const audience = await work()
      queries.setQueryData(['audience.get', { path: { id: audience._id } }], audience)
      onChosen(audience)
    } catch (problem) {
      if (!(problem instanceof CallError)) throw problem
      if (problem.code !== 'cancelled') setError(problem)
    } finally {
      setUpload(undefined)
    }
  }

  function uploadFile(file: File, defaultCountry: string) {
    const control = new AbortController()
    cancel.current = control
    setUpload({ name: file.name, percent: 0 })
    const onProgress = (percent: number) => setUpload({ name: file.name, percent })
    void take(() => uploadAudience({ file, defaultCountry, channel, onProgress, signal: control.signal }))
  }

  function paste(numbers: string, defaultCountry: string) {
    const body = { numbers, defaultCountry, channel }
    if (!pastes.begin(body)) return
    setUpload({ name: 'Pasted numbers', percent: 100 })
    void take(() => pastes.finish(body, (key) => call('audience.create', { body }, { key })))
  }

  return {
    audience,
    corrections,
    isPending: audienceId !== null && query.isPending,
    loadError: query.error,
    retry: () => void query.refetch(),
    upload,
    cancelUpload: () => cancel.current?.abort(),
    error,
    uploadFile,
    paste,
    /** Uses a saved audience. */
    choose(id: string) {
      setError(undefined)
      onChosen({ _id: id })
    },
    setMapping(choice: AudienceChoice) {
      corrections.release()
      if (audienceId) map.mutate({ path: { id: audienceId }, body: choice })
    },
    isMapping: map.isPending,
  }
}

export function isUnderWay(audience: Audience | undefined): boolean {
  return audience?.status === 'reading' || audience?.status === 'checking'
}
