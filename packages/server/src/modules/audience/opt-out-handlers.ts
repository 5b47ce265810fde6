import type { optOutEndpoints } from '@carillon/contract/opt-outs'
import type { Handlers } from '../../http/handlers.ts'
import { addOptOuts } from './add-opt-outs.ts'
import { downloadOptOuts, listOptOuts, removeOptOut } from './opt-outs.ts'

export const optOutHandlers: Handlers<typeof optOutEndpoints> = {
  'optOuts.list': ({ db, actor, input }) => listOptOuts(db, { scope: actor.scope, query: input.query }),
  'optOuts.csv': {
    withoutTransaction: async ({ scoped, actor, input }) => downloadOptOuts(scoped, { actor, query: input.query }),
  },
  'optOuts.add': {
    withoutTransaction: ({ scoped, actor, input, files }) =>
      addOptOuts(scoped, {
        actor,
        upload: files['file'],
        scope: input.body.scope,
        numbers: input.body.numbers,
        defaultCountry: input.body.defaultCountry,
      }),
  },
  'optOuts.remove': async ({ db, actor, input }) => {
    await removeOptOut(db, { actor, ...input.path })
    return {}
  },
}
