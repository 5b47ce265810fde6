import { paginate } from '@carillon/contract/paging'
import type { templateFamilyEndpoints } from '@carillon/contract/template-families'
import type { Handlers } from '../../http/handlers.ts'
import { getFamily, listFamilies } from './families.queries.ts'
import { createFamily, deleteFamily, updateFamily } from './write-family.ts'

export const familyHandlers: Handlers<typeof templateFamilyEndpoints> = {
  'families.list': async ({ db, actor, input }) => {
    const { templates, ...filter } = input.query
    const { families, total } = await listFamilies(db, {
      ...filter,
      scope: actor.scope,
      templateIds: templates?.split(','),
    })
    return { families, pagination: paginate(input.query, total) }
  },
  'families.get': ({ db, actor, input }) => getFamily(db, { id: input.path.id, scope: actor.scope }),
  'families.create': async ({ db, actor, input }) => {
    const id = await createFamily(db, actor, input.body)
    return getFamily(db, { id, scope: actor.scope })
  },
  'families.update': async ({ db, actor, input }) => {
    const { id } = input.path
    await updateFamily(db, actor, { id, input: input.body })
    return getFamily(db, { id, scope: actor.scope })
  },
  'families.delete': async ({ db, actor, input }) => {
    await deleteFamily(db, actor, input.path.id)
    return {}
  },
}
