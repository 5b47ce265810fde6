import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { call, type CallError } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import { refresh } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useWabas } from '../use-wabas.ts'

/** Reads all templates of the chosen account from Meta, or of each account. */
export function RefreshFromMeta({ wabaId }: { wabaId: string | undefined }) {
  const { wabas } = useWabas()
  const queries = useQueryClient()
  const sync = useMutation<number, CallError>({
    async mutationFn() {
      const ids = wabaId ? [wabaId] : wabas.map(({ waba_id }) => waba_id)
      const answers = await Promise.all(ids.map((waba_id) => call('waTemplates.sync', { body: { waba_id } })))
      return answers.reduce((sum, { changed }) => sum + changed, 0)
    },
    onSuccess: (changed) => {
      void refresh(queries, ['waTemplates.list', 'waTemplates.get'])
      toast.success(
        changed === 0 ? 'Everything is up to date' : `${countOf(changed, 'template has', 'templates have')} changed`,
      )
    },
    onError: (error) => toast.error(error.message),
  })
  if (wabas.length === 0) return null
  return (
    <Button variant="ghost" size="sm" loading={sync.isPending} onClick={() => sync.mutate()} className="max-md:hidden">
      <RotateCw aria-hidden /> Refresh from Meta
    </Button>
  )
}
